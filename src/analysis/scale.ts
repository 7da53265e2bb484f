/**
 * Defines the scale of the score: the families of checks with their areas and maximum points, the caps, and
 * the versions of the catalogue and the method.
 */

import type { Area } from '../domain/report/shapes.ts';

/**
 * Version of the catalogue of findings, which is raised when the id, a state or the points of a check change.
 */
export const CATALOGUE_VERSION = '2';

/** Version of the method that turns findings into a score and a grade. */
export const METHOD_VERSION = '1';

/**
 * The families of checks. `cap` is the maximum number of points that all findings of a family can cost
 * together.
 */
export const FAMILIES = {
  spf: { cap: 12, area: 'spf' },
  dkim: { cap: 22, area: 'dkim' },
  alignment: { cap: 45, area: 'dmarc' },
  dmarc: { cap: 14, area: 'dmarc' },
  arc: { cap: 0, area: 'arc' },
  bimi: { cap: 0, area: 'bimi' },
  rdns: { cap: 12, area: 'connection' },
  helo: { cap: 5, area: 'connection' },
  tls: { cap: 4, area: 'connection' },
  reputation: { cap: 45, area: 'reputation' },
  transport: { cap: 0, area: 'transport_policy' },
  structure: { cap: 30, area: 'headers' },
  headers: { cap: 14, area: 'headers' },
  identity: { cap: 8, area: 'headers' },
  impersonation: { cap: 45, area: 'headers' },
  unsubscribe: { cap: 12, area: 'unsubscribe' },
  way_out: { cap: 11, area: 'unsubscribe' },
  textalt: { cap: 5, area: 'content' },
  body: { cap: 14, area: 'content' },
  images: { cap: 6, area: 'content' },
  active: { cap: 15, area: 'content' },
  attach: { cap: 40, area: 'content' },
  links: { cap: 16, area: 'links' },
  linkrep: { cap: 60, area: 'links' },
  inbound: { cap: 6, area: 'connection' },
} as const satisfies Readonly<Record<string, { cap: number; area: Area }>>;

export type Family = keyof typeof FAMILIES;

export const FAMILY_CAPS = Object.fromEntries(
  Object.entries(FAMILIES).map(([family, { cap }]) => [family, cap]),
) as Readonly<Record<Family, number>>;

/** The highest score of a report that contains a finding with the severity fail. */
export const ANY_FAIL_CAP = 89;

/**
 * The highest score of an email that some large receivers refuse, according to
 * `src/domain/receiver-actions.json`: either one of them, from any sender and with a specific reply, or
 * several, from bulk senders.
 */
export const REFUSED_IN_PART = 74;
