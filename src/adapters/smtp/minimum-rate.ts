import { wipeRead } from './chunk-memory.ts';

export interface MinimumRate {
  /** Slowest transfer, in bytes a second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
  /** Longest transfer, in milliseconds. */
  readonly transactionMs: number;
}

interface Reader {
  /** Called with the bytes of each chunk. */
  readonly onChunk: (bytes: number) => void;
  /** Called when all has come. */
  readonly onWhole: () => void;
  readonly cut: () => void;
}

/**
 * The content of a mail, chunk by chunk, each valid until the next is asked for. Cuts the connection
 * when the content comes too slowly, or when the reader stops before its end: SMTP has no answer
 * before the end of data.
 */
export async function* requireRate(
  content: AsyncIterable<Buffer>,
  { minBytesPerSecond, windowMs, transactionMs }: MinimumRate,
  { onChunk, onWhole, cut }: Reader,
): AsyncGenerator<Uint8Array, void, void> {
  const least = (minBytesPerSecond * windowMs) / 1000;
  let received = 0;
  let elapsed = 0;
  let isWhole = false;
  let judging: NodeJS.Immediate | undefined;
  const judge = () => {
    elapsed += windowMs;
    if (elapsed > transactionMs || received < least) cut();
    received = 0;
  };
  // What has come by then is read first: this process may have stood still.
  const watch = setInterval(() => {
    judging = setImmediate(judge);
  }, windowMs);
  try {
    for await (const chunk of content) {
      received += chunk.length;
      onChunk(chunk.length);
      try {
        yield chunk;
      } finally {
        // The reader has its own copy by now.
        wipeRead(chunk);
      }
    }
    isWhole = true;
    onWhole();
  } finally {
    clearInterval(watch);
    clearImmediate(judging);
    if (!isWhole) cut();
  }
}
