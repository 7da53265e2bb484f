/** Caches the result of a request to a node for a given time, such as the time between two blocks. */

/** Time between two blocks of Base, in milliseconds: fees and the head do not change faster. */
export const BLOCK_MS = 2_000;

/**
 * Returns a function that reads a value and then keeps it for this many milliseconds. A failure is not kept.
 */
export function cached<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const value = read();
      last = { at: performance.now(), value };
      value.catch(() => {
        last = undefined;
      });
    }
    return last.value;
  };
}
