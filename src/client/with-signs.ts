/** Reports the progress of long work to a person who waits for it. */

/** How often long work says that it is still running, in seconds. */
export const SIGN_SECONDS = 30;

/**
 * Says every 30 s how far the work has come, so that nobody mistakes its silence for a fault.
 *
 * @param describe returns a sentence about the work after that many seconds
 */
export async function withSigns<T>(
  note: (text: string) => void,
  describe: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  let seconds = 0;
  const signs = setInterval(() => {
    seconds += SIGN_SECONDS;
    note(describe(seconds));
  }, SIGN_SECONDS * 1000);
  try {
    return await work();
  } finally {
    clearInterval(signs);
  }
}
