import type { Route } from '../../domain/report/route.ts';
import { isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import type { Hop, RouteFacts } from './facts.ts';

/** A step of the route, with what only the whole of it and the sender's names show. */
export interface RouteStep extends Hop {
  readonly whose: Route['hops'][number]['whose'];
  /** Since the step before; null: one of the two says no time. */
  readonly delaySeconds: number | null;
}

/** Whole seconds between two instants; null: one of them is not known. */
const secondsBetween = (from: string | null | undefined, to: string | null): number | null =>
  from && to ? Math.round((Date.parse(to) - Date.parse(from)) / 1000) : null;

function whoseIs(by: string | null, facts: Facts): RouteStep['whose'] {
  if (by === null) return 'unknown';
  if (isOwnName(by, facts)) return 'sender';
  const { helo, forward } = facts.connection;
  const names = [helo ?? '', ...(ifKnown(forward)?.confirmedNames ?? [])];
  return names.some((name) => sameOrganization(name.toLowerCase(), by)) ? 'service' : 'other';
}

/** The steps of the route: the first server first. */
export const toRouteSteps = ({ hops }: RouteFacts, facts: Facts): readonly RouteStep[] =>
  hops.map((hop, at) => ({
    ...hop,
    whose: whoseIs(hop.by, facts),
    delaySeconds: secondsBetween(hops[at - 1]?.at, hop.at),
  }));

/** Seconds from the last Received field to the arrival. */
const lastDelay = ({ hops }: RouteFacts, { receivedAt }: Facts): number | null =>
  secondsBetween(hops.at(-1)?.at, receivedAt);

/** What a sentence calls the server of a step. */
export const serverOf = ({ by }: Hop, at: number): string => by ?? `the server of step ${at + 1}`;

/** `report.message.way`: nothing where the mail has no Received field. */
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
