/** Builds the route of an email as the report shows it, with delays and the party that runs each server. */

import type { Route } from '../../domain/report/route.ts';
import { isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import type { Hop, RouteFacts } from './facts.ts';

/** A hop of the route, with facts that only the complete route and the sender's names show. */
export interface RouteStep extends Hop {
  readonly whose: Route['hops'][number]['whose'];
  /** Seconds since the previous hop. Null if the time of either hop is unknown. */
  readonly delaySeconds: number | null;
}

/** Returns the whole seconds between two instants, or null if one is unknown. */
const secondsBetween = (from: string | null | undefined, to: string | null): number | null =>
  from && to ? Math.round((Date.parse(to) - Date.parse(from)) / 1000) : null;

function whoseIs(by: string | null, facts: Facts): RouteStep['whose'] {
  if (by === null) return 'unknown';
  if (isOwnName(by, facts)) return 'sender';
  const { helo, forward } = facts.connection;
  const names = [helo ?? '', ...(ifKnown(forward)?.confirmedNames ?? [])];
  return names.some((name) => sameOrganization(name.toLowerCase(), by)) ? 'service' : 'other';
}

/** Returns the hops of the route, the first server first. */
export const toRouteSteps = ({ hops }: RouteFacts, facts: Facts): readonly RouteStep[] =>
  hops.map((hop, at) => ({
    ...hop,
    whose: whoseIs(hop.by, facts),
    delaySeconds: secondsBetween(hops[at - 1]?.at, hop.at),
  }));

/** Returns the seconds from the last Received field to the arrival of the email. */
const lastDelay = ({ hops }: RouteFacts, { receivedAt }: Facts): number | null =>
  secondsBetween(hops.at(-1)?.at, receivedAt);

/** Returns the words that stand for the server of a hop in a sentence. */
export const serverOf = ({ by }: Hop, at: number): string => by ?? `the server at step ${at + 1}`;

/** Builds `report.message.way`. Returns `undefined` if the email has no Received field. */
export function toRoute(facts: Facts): Route | undefined {
  const route = ifKnown(facts.route);
  if (route === undefined || route.hops.length === 0) return undefined;
  return {
    hops: toRouteSteps(route, facts).map((step) => ({
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
    last_delay_seconds: lastDelay(route, facts),
  };
}
