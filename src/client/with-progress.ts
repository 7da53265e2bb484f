/** Prints regular signs of life while long work is running. */

/** Interval in seconds at which long work reports that it is still running. */
export const PROGRESS_SECONDS = 30;

/**
 * Runs work, and reports its progress every 30 s, so that nobody mistakes the silence for a failure.
 *
 * @param describe returns a sentence about the work after that many seconds
 */
export async function withProgress<T>(
  note: (text: string) => void,
  describe: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  let seconds = 0;
  const signs = setInterval(() => {
    seconds += PROGRESS_SECONDS;
    note(describe(seconds));
  }, PROGRESS_SECONDS * 1000);
  try {
    return await work();
  } finally {
    clearInterval(signs);
  }
}
