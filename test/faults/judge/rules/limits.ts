/**
 * Defines how much delay and clock error the judge tolerates, and during which periods a round
 * counts as disturbed.
 */

import type { Fault } from '../history.ts';

/** Difference between two processes reading one clock, in milliseconds. */
export const TICK_MS = 2;

/**
 * Largest difference between the clocks of replicas and log, in milliseconds: half of the time of the
 * quickest of several responses, on a busy machine. A clock that is set excuses no more.
 */
export const CLOCK_MS = 50;

/** Time for an event to reach every replica, in milliseconds, on a busy machine. */
export const LAG_MS = 500;

/** Time within which deadlines are noticed once nothing is broken, in milliseconds. */
export const PATIENCE_MS = 10_000;

/**
 * Longest time from the instant of an event to its place in the log, in milliseconds. An append takes up to
 * 20 s.
 */
export const APPEND_MS = 25_000;

/**
 * Time for a replica to resume after an outage, in milliseconds. It notices after 2 s, and the election of a
 * leader takes up to 9 s.
 */
const RECOVERY_MS = 12_000;

/** When replicas may be behind, or late: from an outage until they have recovered from it. */
interface Disturbance {
  readonly from: number;
  readonly to: number;
  /** How far behind a replica may be, in milliseconds: one outage and its recovery. */
  readonly behindMs: number;
}

/** Returns the disturbances in the order of time. A clock that was set is not a disturbance. */
export const disturbances = (faults: readonly Fault[]): readonly Disturbance[] =>
  faults
    .filter(({ kind }) => kind === 'outage')
    .map(({ from, to }) => ({ from, to: to + RECOVERY_MS, behindMs: to - from + RECOVERY_MS }))
    .toSorted((one, other) => one.from - other.from);

/**
 * Returns the disturbance at an instant, with all that led into it. A replica that had not recovered from one
 * outage when the next came is still behind since the first.
 */
export function disturbanceAt(time: number, faults: readonly Fault[]): Disturbance | undefined {
  let chain: Disturbance | undefined;
  for (const next of disturbances(faults)) {
    if (next.from > time) break;
    chain = chain && next.from <= chain.to ? joined(chain, next) : next;
  }
  return chain && time <= chain.to ? chain : undefined;
}

const joined = (one: Disturbance, next: Disturbance): Disturbance => ({
  from: one.from,
  to: Math.max(one.to, next.to),
  behindMs: Math.max(one.behindMs, next.behindMs),
});
