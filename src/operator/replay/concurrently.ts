/** Runs many requests to the log at once, and waits while the log is unavailable. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../domain/errors.ts';

/** Number of concurrent requests. Reading a bucket of a million keys one by one would take minutes. */
const LANES = 32;

/** Longest outage of the log that only delays a long run, in milliseconds. A longer one ends the run. */
export const PATIENCE_MS = 60_000;

/** Pause before failed work is tried again, in milliseconds. */
const AGAIN_MS = 500;

/** Repeats the work while the log is unavailable, for at most `patienceMs`. The work may be done twice. */
export async function patiently<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOutage = error instanceof ServiceError && error.code === 'log_unavailable';
      if (!isOutage || performance.now() > deadline) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/**
 * Calls `work` for each item, several at once, and repeats it as `patiently` does. Resolves when all are
 * done, and rejects with the first error.
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  // All lanes share one iterator, so that the first failure stops all of them.
  const left = (function* () {
    yield* items;
  })();
  async function lane(): Promise<void> {
    for (const item of left) await patiently(() => work(item), patienceMs);
  }
  await Promise.all(Array.from({ length: LANES }, lane));
}
