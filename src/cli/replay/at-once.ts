/** Requests on the way at once: a bucket of a million keys is minutes long, one after the other. */
const LANES = 32;

/** Calls `work` for each item, some at once; resolves when all are done, rejects with the first error. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  async function lane(): Promise<void> {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: LANES }, lane));
}
