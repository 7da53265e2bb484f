import { wipeRead } from './chunk-memory.ts';
import type { Pressure } from './pressure.ts';

export interface MinimumRate {
  /** Slowest transfer, in bytes a second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
  /** Longest transfer, in milliseconds. */
  readonly transactionMs: number;
}

/** Checks in a window: it shrinks when the server fills up. */
const CHECKS = 10;

/**
 * The content of a mail, chunk by chunk, each valid until the next is asked for. Cuts the connection
 * when the content comes too slowly, or when the reader stops before its end: SMTP has no answer
 * before the end of data.
 */
export async function* requireRate(
  content: AsyncIterable<Buffer>,
  { minBytesPerSecond, windowMs, transactionMs }: MinimumRate,
  pressure: Pressure,
  cut: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  const checkMs = windowMs / CHECKS;
  let received = 0;
  let windowElapsed = 0;
  let elapsed = 0;
  let isWhole = false;
  const watch = setInterval(() => {
    elapsed += checkMs;
    windowElapsed += checkMs;
    if (elapsed > transactionMs) cut();
    if (windowElapsed < pressure.shorten(windowMs)) return;
    if (received < (pressure.raise(minBytesPerSecond) * windowElapsed) / 1000) cut();
    received = 0;
    windowElapsed = 0;
  }, checkMs);
  try {
    for await (const chunk of content) {
      received += chunk.length;
      yield chunk;
      // The reader has its own copy by now.
      wipeRead(chunk);
    }
    isWhole = true;
  } finally {
    clearInterval(watch);
    if (!isWhole) cut();
  }
}
