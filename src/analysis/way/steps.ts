import type { Way } from '../../domain/report/way.ts';
import { isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import type { Hop, WayFacts } from './facts.ts';

/** A step of the way, with what only the whole of it and the sender's names show. */
export interface WayStep extends Hop {
  readonly whose: Way['hops'][number]['whose'];
  /** Since the step before; null: one of the two says no time. */
  readonly delaySeconds: number | null;
}

/** Whole seconds between two instants; null: one of them is not known. */
const secondsBetween = (from: string | null | undefined, to: string | null): number | null =>
  from && to ? Math.round((Date.parse(to) - Date.parse(from)) / 1000) : null;

function whoseIs(by: string | null, facts: Facts): WayStep['whose'] {
  if (by === null) return 'unknown';
  if (isOwnName(by, facts)) return 'sender';
  const { helo, forward } = facts.connection;
  const names = [helo ?? '', ...(ifKnown(forward)?.confirmedNames ?? [])];
  return names.some((name) => sameOrganization(name.toLowerCase(), by)) ? 'service' : 'other';
}

/** The steps of the way: the first server first. */
export const toWaySteps = ({ hops }: WayFacts, facts: Facts): readonly WayStep[] =>
  hops.map((hop, at) => ({
    ...hop,
    whose: whoseIs(hop.by, facts),
    delaySeconds: secondsBetween(hops[at - 1]?.at, hop.at),
  }));

/** Seconds from the last Received field to the arrival. */
const lastDelay = ({ hops }: WayFacts, { receivedAt }: Facts): number | null =>
  secondsBetween(hops.at(-1)?.at, receivedAt);

/** What a sentence calls the server of a step. */
export const serverOf = ({ by }: Hop, at: number): string => by ?? `the server of step ${at + 1}`;

/** `report.message.way`: nothing where the mail has no Received field. */
export function toWay(facts: Facts): Way | undefined {
  const way = ifKnown(facts.way);
  if (way === undefined || way.hops.length === 0) return undefined;
  return {
    hops: toWaySteps(way, facts).map((step) => ({
      from: step.from,
      from_kind: step.from_kind,
      by: step.by,
      whose: step.whose,
      protocol: step.protocol,
      encrypted: step.encrypted,
      tls_version: step.tls_version,
      at: step.at,
      delay_seconds: step.delaySeconds,
    })),
    last_delay_seconds: lastDelay(way, facts),
  };
}
