import type { Fault } from '../history.ts';

/** One clock, read by two processes, in milliseconds. */
export const TICK_MS = 2;

/**
 * What the clocks of replicas and log may differ by, in milliseconds: half of the time that the
 * quickest of several answers took, on a machine that is busy. No clock that is set excuses more.
 */
export const CLOCK_MS = 50;

/** For an event to reach every replica, in milliseconds, on a machine that is busy. */
export const LAG_MS = 500;

/** Deadlines are noticed within this, in milliseconds, once nothing is broken. */
export const PATIENCE_MS = 10_000;

/** From the instant of an event to its place in the log, in milliseconds: an append takes 20 s. */
export const APPEND_MS = 25_000;

/**
 * For a replica to find its place again after an outage, in milliseconds: it takes 2 s to notice,
 * and the election of a leader takes up to 9 s.
 */
const RECOVERY_MS = 12_000;

/** When replicas may be behind, or late: from an outage until they have recovered from it. */
interface Disturbance {
  readonly from: number;
  readonly to: number;
  /** How far behind a replica may be at most, in milliseconds: one outage and its recovery. */
  readonly behindMs: number;
}

/** In the order of time. That a clock was set is no disturbance. */
export const disturbances = (faults: readonly Fault[]): readonly Disturbance[] =>
  faults
    .filter(({ kind }) => kind === 'outage')
    .map(({ from, to }) => ({ from, to: to + RECOVERY_MS, behindMs: to - from + RECOVERY_MS }))
    .toSorted((one, other) => one.from - other.from);

/**
 * The disturbance at an instant, with all that led into it: who had not recovered from the one outage
 * when the next came is still behind from the first.
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
