/**
 * Limits how long to wait for a lookup, without counting the delays of this thread, and tells how much time
 * is left until a deadline.
 */

import { type LookupResult, unknown } from '../analysis/lookup-result.ts';

/**
 * Interval at which this thread's timers are compared with the clock, and the largest delay that does not
 * count as late, both in milliseconds.
 */
const BEAT_MS = 50;
const LATE_MS = 5;

/**
 * Total delay of this thread's timers so far, in milliseconds. The thread was busy during that time, so no
 * server is to blame for it.
 */
let late = 0;
let due = performance.now() + BEAT_MS;
setInterval(() => {
  const now = performance.now();
  if (now - due > LATE_MS) late += now - due;
  due = now + BEAT_MS;
}, BEAT_MS).unref();

/** Calls `onEnd` after a number of milliseconds in which this thread could have received an answer. */
function startPatience(milliseconds: number, onEnd: () => void): () => void {
  const begin = late;
  let granted = 0;
  let timer: NodeJS.Timeout;
  // Answers that came in the meantime are read first, and the thread's delay is granted as extra time.
  const check = () =>
    setImmediate(() => {
      const more = late - begin - granted;
      granted += more;
      if (more > 0) timer = setTimeout(check, more);
      else onEnd();
    });
  timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}

/**
 * Resolves with the result if it arrives within `milliseconds`. Otherwise, or if it fails, resolves with the
 * fallback.
 */
export const orElse = <T>(milliseconds: number, result: Promise<T>, fallback: T): Promise<T> =>
  new Promise((resolve) => {
    const stop = startPatience(milliseconds, () => resolve(fallback));
    const end = (value: T) => {
      stop();
      resolve(value);
    };
    // The error is not passed on, because its message could quote the email.
    result.then(end, () => end(fallback));
  });

/** Resolves with the result, or with an unknown one if it takes more than `milliseconds`. */
export const within = <T>(
  what: string,
  milliseconds: number,
  result: Promise<LookupResult<T>>,
): Promise<LookupResult<T>> => orElse(milliseconds, result, unknown(`${what}: no answer in time`));

/** Returns the remaining milliseconds, at least one, so that what has already arrived is used. */
export type LookupDeadline = () => number;

export function startDeadline(milliseconds: number): LookupDeadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(1, end - performance.now());
}
