/** Rules about the statuses that clients were shown. */

import { expiry, payBefore } from '../../../../src/projection/deadlines.ts';
import type { Fault, Seen } from '../history.ts';
import { type Rule, settledBy, type TestHistory } from '../test-history.ts';
import { CLOCK_MS, disturbanceAt, LAG_MS, TICK_MS } from './limits.ts';

/** Something that a client was shown. */
interface Observation {
  readonly replica: string;
  readonly from: number;
  readonly to: number;
  /** `closed` is an unpaid report that is too near its end to be sold. */
  readonly seen: readonly (Seen | 'closed')[];
}

/**
 * Returns the earliest time of an observation. A replica that was cut off answers from what it knew before.
 */
function oldest(from: number, faults: readonly Fault[]): number {
  const disturbance = disturbanceAt(from, faults);
  return (disturbance ? Math.max(disturbance.from, from - disturbance.behindMs) : from) - LAG_MS;
}

/** Returns how many events had been recorded at an instant. */
const recordedAt = ({ steps }: TestHistory, time: number) =>
  steps.findLastIndex(({ recorded }) => recorded.time <= time) + 1;

/** Returns whether a replica that knows the first `count` events may have shown that. */
function mayShow({ steps }: TestHistory, count: number, observation: Observation): boolean {
  const { seen, from, to } = observation;
  const row = steps[count - 1]?.row;
  if (!row) return seen.includes('absent');
  const end = expiry(row);
  if (seen.includes('absent') && to + CLOCK_MS >= end) return true;
  if (from - CLOCK_MS >= end) return false;
  const isClosed = row.status === 'ready' && to + CLOCK_MS >= payBefore(row);
  return seen.includes(row.status) || (seen.includes('closed') && isClosed);
}

/** Returns the numbers of events after which a test had the observed status. Empty if it never had it. */
function justifications(
  testHistory: TestHistory,
  observation: Observation,
  faults: readonly Fault[],
): readonly number[] {
  // The leader finds an existing test, however far behind a replica is.
  const created =
    (testHistory.steps[0]?.recorded.time ?? Number.POSITIVE_INFINITY) + TICK_MS < observation.from;
  const first = Math.max(
    recordedAt(testHistory, oldest(observation.from, faults)),
    created ? 1 : 0,
  );
  const last = Math.max(first, recordedAt(testHistory, observation.to + TICK_MS));
  const counts = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return counts.filter((count) => mayShow(testHistory, count, observation));
}

function observationsOf(testHistory: TestHistory): readonly Observation[] {
  return testHistory.operations.flatMap((operation): Observation | readonly Observation[] => {
    const { replica, from, to } = operation;
    if (operation.kind === 'polled') return { replica, from, to, seen: operation.seen };
    if (operation.kind === 'withheld')
      return { replica, from, to, seen: settledBy(testHistory, from) ? [] : ['closed'] };
    // Anyone who got the 250 sees the report from then on.
    if (operation.kind === 'mailed' && operation.reply === 'analysed')
      return { replica, from: to, to, seen: ['ready', 'absent'] };
    return [];
  });
}

/**
 * Returns what was shown and should not have been. `isKnown` says whether a client of this one may know that
 * one.
 */
function goThrough(
  testHistory: TestHistory,
  faults: readonly Fault[],
  isKnown: (that: Observation, one: Observation) => boolean,
) {
  const observations = observationsOf(testHistory).toSorted((one, other) => one.from - other.from);
  const unjustified: Observation[] = [];
  const backwards: Observation[] = [];
  const known: (Observation & { readonly count: number })[] = [];
  for (const observation of observations) {
    const counts = justifications(testHistory, observation, faults);
    if (counts.length === 0) {
      unjustified.push(observation);
      continue;
    }
    const before = known.filter((one) => one.to <= observation.from && isKnown(one, observation));
    const floor = Math.max(0, ...before.map(({ count }) => count));
    const count = counts.find((one) => one >= floor);
    if (count === undefined) backwards.push(observation);
    else known.push({ ...observation, count });
  }
  return { unjustified, backwards };
}

/**
 * Every status that was shown is that of some moment between the request and its response, and at one replica
 * none is older than what it showed before.
 */
export const statuses: Rule = (testHistory, { faults }) => {
  const isSame = (one: Observation, other: Observation) => one.replica === other.replica;
  const { unjustified, backwards } = goThrough(testHistory, faults, isSame);
  const nameOf = ({ seen, replica, from }: Observation) =>
    `${seen.join(' or ')} at ${replica}, ${new Date(from).toISOString()}`;
  return [
    ...unjustified.map((one) => `nothing justifies ${nameOf(one)}`),
    ...backwards.map((one) => `went backwards to ${nameOf(one)}`),
  ];
};
