/** The beginning of a mail, and the way to all of it. */
export interface Head {
  /** As far as it was wanted, or as far as is searched; more may be there. */
  readonly head: Uint8Array;
  /** The mail from a byte of its head on, once. Each chunk is overwritten when the next is asked for. */
  from(start: number): AsyncGenerator<Uint8Array, void, void>;
  /** In place of `from`: nothing more is read. */
  close(): Promise<void>;
}

/**
 * Reads the beginning of a mail, before the rest has arrived.
 *
 * @param isEnough of what has come
 * @param maxBytes how far is searched
 * @throws what the source throws when it breaks off
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
          // The reader has its own copy by now.
          next.value.fill(0);
        }
      } finally {
        await close();
      }
    },
  };
}
