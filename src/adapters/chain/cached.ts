/** A block of Base: fees and the head do not change faster. In milliseconds. */
export const BLOCK_MS = 2_000;

/** Asked again after so long; a failure is not kept. */
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
