/** Runs many requests to the log at once, and waits while the log is unavailable. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../domain/errors.ts';

/** Number of concurrent requests: reading a bucket of a million keys one by one would take minutes. */
const LANES = 32;

/** A log outage of up to this long, in milliseconds, only delays a long run. A longer one ends it. */
export const PATIENCE_MS = 60_000;

/** Pause before the work on an item is tried again, in milliseconds. */
const AGAIN_MS = 500;

/** Repeats the work while the log does not respond. The work may be done twice. */
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
 * Calls `work` for each item, several at once, with patience. Resolves when all are done, and rejects with
 * the first error.
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  // All lanes share one iterator, so that the first failure ends all of them.
  const left = (function* () {
    yield* items;
  })();
  async function lane(): Promise<void> {
    for (const item of left) await patiently(() => work(item), patienceMs);
  }
  await Promise.all(Array.from({ length: LANES }, lane));
}
