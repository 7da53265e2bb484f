export interface MinimumRate {
  /** Slowest transfer, in bytes a second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * The content of a mail, chunk by chunk, each valid until the next is asked for. Cuts the connection
 * when the content comes too slowly, or when the reader stops before its end: SMTP has no answer
 * before the end of data.
 */
export async function* requireRate(
  content: AsyncIterable<Buffer>,
  { minBytesPerSecond, windowMs }: MinimumRate,
  cut: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let received = 0;
  let isWhole = false;
  const watch = setInterval(() => {
    if (received < (minBytesPerSecond * windowMs) / 1000) cut();
    received = 0;
  }, windowMs);
  try {
    for await (const chunk of content) {
      received += chunk.length;
      yield chunk;
      // The reader has its own copy by now.
      chunk.fill(0);
    }
    isWhole = true;
  } finally {
    clearInterval(watch);
    if (!isWhole) cut();
  }
}
