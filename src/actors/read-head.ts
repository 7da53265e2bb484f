/**
 * Reads the beginning of an email before the rest has arrived, gives access to the rest, and overwrites what
 * has been read.
 */

/** The beginning of an email, with access to the rest. */
export interface Head {
  /**
   * The bytes that have been read so far: enough for the caller, or the first `maxBytes`. There may be more
   * than that.
   */
  readonly head: Uint8Array;
  /**
   * Reads the email once, starting at a byte of its head. Each chunk is overwritten when the next is
   * requested.
   */
  from(start: number): AsyncGenerator<Uint8Array, void, void>;
  /** Call this instead of `from` if nothing more will be read. */
  close(): Promise<void>;
}

/**
 * Reads the beginning of an email before the rest has arrived.
 *
 * @param isEnough returns whether the bytes that have arrived are enough
 * @param maxBytes number of bytes after which reading stops even if they are not enough
 * @throws what the source throws if it breaks off
 */
export async function readHead(
  content: AsyncIterable<Uint8Array>,
  isEnough: (bytes: Uint8Array) => boolean,
  maxBytes: number,
): Promise<Head> {
  const source = content[Symbol.asyncIterator]();
  let head = new Uint8Array();
  while (head.length < maxBytes && !isEnough(head)) {
    const next = await source.next();
    if (next.done) break;
    const longer = new Uint8Array(head.length + next.value.length);
    longer.set(head);
    longer.set(next.value, head.length);
    head.fill(0);
    next.value.fill(0);
    head = longer;
  }

  async function close() {
    head.fill(0);
    await source.return?.();
  }

  return {
    head,
    close,
    async *from(start) {
      try {
        if (head.length > start) yield head.subarray(start);
        for (let next = await source.next(); !next.done; next = await source.next()) {
          yield next.value;
          // By now, the reader has its own copy of the chunk.
          next.value.fill(0);
        }
      } finally {
        await close();
      }
    },
  };
}
