/** Limits how often a lasting fault is logged. */

/** Shortest time between two lines about the same thing, in milliseconds. */
const QUIET_MS = 60_000;

/**
 * Returns the given function, but limited to one call per minute, so that a lasting fault is logged as one
 * line instead of thousands.
 */
export function seldom<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  let due = 0;
  return (...given) => {
    const now = performance.now();
    if (now < due) return;
    due = now + QUIET_MS;
    act(...given);
  };
}
