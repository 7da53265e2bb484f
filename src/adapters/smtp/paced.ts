export interface Pace {
  /** Slowest transfer, in bytes a second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * The content of a mail, chunk by chunk, each valid until the next is asked for, and as long as it comes fast enough. Who stops reading before its end, or is
 * sent it too slowly, has the connection cut off: SMTP has no other way to say no here.
 */
export async function* paced(
  content: AsyncIterable<Buffer>,
  { minBytesPerSecond, windowMs }: Pace,
  cut: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let received = 0;
  let whole = false;
  const watch = setInterval(() => {
    if (received < (minBytesPerSecond * windowMs) / 1000) cut();
    received = 0;
  }, windowMs);
  try {
    for await (const chunk of content) {
      received += chunk.length;
      yield chunk;
      // Whoever keeps the mail has its own copy by now.
      chunk.fill(0);
    }
    whole = true;
  } finally {
    clearInterval(watch);
    if (!whole) cut();
  }
}
