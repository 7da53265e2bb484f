/**
 * Replaces the wall clock of a process, so that a test can set it. It is loaded before the service: `Date`
 * then shows the time of a clock that the parent sets, in this thread and its workers, including libraries.
 * Whatever measures durations, `performance` and timers, continues, as in reality.
 */

import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * The message from the parent, which is returned when it is done: milliseconds by which the clock is wrong.
 */
export interface ClockOrder {
  readonly wallClockMs: number;
}

const KEY = 'wall clock';
const shared = isMainThread
  ? new Int32Array(new SharedArrayBuffer(4))
  : (getEnvironmentData(KEY) as unknown as Int32Array);

const trueNow = Date.now;
const now = () => trueNow() + Atomics.load(shared, 0);
const WallDate = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: (target) => new target(now()).toString(),
});
Date.now = now;
Date.prototype.constructor = WallDate;
globalThis.Date = WallDate;

if (isMainThread) {
  setEnvironmentData(KEY, shared);
  process.on('message', (order: Partial<ClockOrder>) => {
    if (order.wallClockMs === undefined) return;
    Atomics.store(shared, 0, order.wallClockMs);
    process.send?.(order);
  });
}
