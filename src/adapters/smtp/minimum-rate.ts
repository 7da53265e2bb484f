/**
 * Passes on the content of an email chunk by chunk, and ends the SMTP connection if the content arrives too
 * slowly, takes too long, or is not read to its end.
 */

import { wipeRead } from './chunk-memory.ts';

export interface MinimumRate {
  /** Minimum speed of a transfer, in bytes per second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
  /** Maximum duration of a transfer, in milliseconds. */
  readonly transactionMs: number;
}

interface Reader {
  /** Called with the number of bytes in each chunk. */
  readonly onChunk: (bytes: number) => void;
  /** Called when everything has arrived. */
  readonly onWhole: () => void;
  /** Called when the content arrives too slowly or takes too long. */
  readonly onSlow: () => void;
  /** Called when the reader stops before the end, for which SMTP has no reply. */
  readonly cut: () => void;
}

/**
 * Yields the content of an email chunk by chunk, each valid until the next is requested. Whatever
 * ends it before its end also ends the connection.
 */
export async function* requireRate(
  content: AsyncIterable<Buffer>,
  { minBytesPerSecond, windowMs, transactionMs }: MinimumRate,
  { onChunk, onWhole, onSlow, cut }: Reader,
): AsyncGenerator<Uint8Array, void, void> {
  const least = (minBytesPerSecond * windowMs) / 1000;
  let received = 0;
  let elapsed = 0;
  let isWhole = false;
  let judging: NodeJS.Immediate | undefined;
  const judge = () => {
    elapsed += windowMs;
    if (elapsed > transactionMs || received < least) onSlow();
    received = 0;
  };
  // This process may have been paused, so everything that has arrived in the meantime is read before the rate
  // is judged.
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
        // By now, the reader has its own copy of the chunk.
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
