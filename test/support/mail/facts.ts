/**
 * Builds the facts about a perfect email, with parts of them changed, such as those of a perfect bulk email.
 */

import type { DkimFact } from '../../../src/analysis/dkim/facts.ts';
import type { ContentFacts, Facts, HeaderFacts } from '../../../src/analysis/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { arc } from '../../analysis/arc/facts.ts';
import { bimi } from '../../analysis/bimi/facts.ts';
import { bulkClassification, classification } from '../../analysis/classification/facts.ts';
import { connection } from '../../analysis/connection/facts.ts';
import { dkim, signature } from '../../analysis/dkim/facts.ts';
import { dmarc } from '../../analysis/dmarc/facts.ts';
import { fields } from '../../analysis/headers/facts.ts';
import { bulkHtml, html } from '../../analysis/html/facts.ts';
import { links, webRisk } from '../../analysis/links/facts.ts';
import { lines, mime } from '../../analysis/mime/facts.ts';
import { names } from '../../analysis/names/facts.ts';
import { receiving } from '../../analysis/receiving/facts.ts';
import { listings } from '../../analysis/reputation/facts.ts';
import { route } from '../../analysis/route/facts.ts';
import { spf } from '../../analysis/spf/facts.ts';
import { text } from '../../analysis/text/facts.ts';
import { transport } from '../../analysis/transport/facts.ts';
import { bulkUnsubscribe, unsubscribe } from '../../analysis/unsubscribe/facts.ts';

/** A part of a value, at any depth. Of a `LookupResult`, just its `value`. Lists are replaced completely. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns `base` with the members of `part` replaced. Neither is changed. */
export function overlay<T>(base: T, part: unknown): T {
  if (!isPlain(base) || !isPlain(part)) return part as T;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(part)) merged[key] = overlay(merged[key], value);
  return merged as T;
}

/** Returns a signature with some of its facts changed. */
export const signed = (part: Part<DkimFact> = {}): DkimFact => overlay(signature, part);

const headers: HeaderFacts = {
  ...fields,
  ...unsubscribe,
  ...lines,
  classification,
  impersonation: [],
  isLetter: false,
  passesOn: false,
};

const content: ContentFacts = {
  content: {
    has_text: true,
    has_html: true,
    html_bytes: 6000,
    text_words: 200,
    html_words: 200,
    text_html_similarity: 1,
    images: 1,
    images_without_alt: 0,
    tracking_pixels: 0,
    data_uri_images: 0,
    links: 2,
    hidden_runs: 0,
    forms: 0,
    scripts: 0,
    external_css: 0,
    unsubscribe_link_found: true,
    placeholders: 0,
    placeholder_syntaxes: [],
    phrase_ids: [],
  },
  ...mime,
  ...html,
  ...text,
};

/** An email with no faults, sent directly by SMTP: 100 points. */
const perfect: Facts = {
  testId: 'abcdefgh2345',
  receivedAt: '2026-11-20T12:00:01.000Z',
  expiresAt: '2026-11-21T12:00:01.000Z',
  sizeBytes: 8000,
  names,
  connection: { ...connection, ...listings },
  spf: known(spf),
  dkim: known(dkim),
  dmarc: known(dmarc),
  arc: known(arc),
  bimi: known(bimi),
  transport,
  receiving,
  headers: known(headers),
  content: known(content),
  links: known(links),
  route: known(route),
  provider: null,
  webRisk,
  partialErrors: [],
  remarks: [],
};

/** Returns the facts of a perfect email, with parts of them changed. Later parts override earlier ones. */
export const facts = (...parts: Part<Facts>[]): Facts =>
  parts.reduce<Facts>((all, part) => overlay(all, part), perfect);

/** Bulk email with everything that is required of it. */
export const bulkMail: Part<Facts> = {
  headers: {
    value: {
      ...bulkUnsubscribe,
      classification: bulkClassification,
    },
  },
  content: { value: bulkHtml },
};
