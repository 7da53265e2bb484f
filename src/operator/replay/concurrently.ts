import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../domain/errors.ts';

/** Requests on the way at once: a bucket of a million keys is minutes long, one after the other. */
const LANES = 32;

/** An outage of the log this long, in milliseconds, holds a long run up; a longer one ends it. */
export const PATIENCE_MS = 60_000;

/** Before the work on an item is begun again, in milliseconds. */
const AGAIN_MS = 500;

/** Does it again while the log does not answer: it may be done twice. */
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

/** Calls `work` for each item, some at once, and patiently. Resolves when all are done, rejects with the first error. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  // One for all lanes: the first that fails ends it.
  const left = (function* () {
    yield* items;
  })();
  async function lane(): Promise<void> {
    for (const item of left) await patiently(() => work(item), patienceMs);
  }
  await Promise.all(Array.from({ length: LANES }, lane));
}
