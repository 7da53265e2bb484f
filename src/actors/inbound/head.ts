/** How far a provider's headers are searched for, in bytes: theirs are a tenth of it. */
const MAX_HEAD = 64 * 1024;

/** The beginning of a mail, and the way to all of it. */
export interface Head {
  /** To the end of the header block, or as far as is searched; more may be there. */
  readonly head: Uint8Array;
  /** The whole mail from its first byte, once. Each chunk is overwritten when the next is asked for. */
  whole(): AsyncGenerator<Uint8Array, void, void>;
  /** In place of `whole`: nothing more is read. */
  close(): Promise<void>;
}

/**
 * Reads a mail to the end of its headers, so that they can be read before the body has arrived.
 *
 * @throws what the source throws when it breaks off
 */
export async function readHead(content: AsyncIterable<Uint8Array>): Promise<Head> {
  const source = content[Symbol.asyncIterator]();
  let head = new Uint8Array();
  while (head.length < MAX_HEAD && !holdsHeaders(head)) {
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
    async *whole() {
      try {
        if (head.length > 0) yield head;
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

/** A blank line is there: after it begins the body. */
function holdsHeaders(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.includes('\n\r\n') || text.includes('\n\n');
}
