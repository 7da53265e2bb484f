/** Between two looks, in milliseconds. */
const EVERY_MS = 2500;

/** Histories read at once: thousands may be damaged, and others wait for the log, too. */
const LANES = 16;

/**
 * Looks at histories that are damaged again and again: a store that was restored, a leader that has what
 * another one had lost, or a message that was removed tells nobody. Each is read once in a round.
 */
export function lookAgain(
  damaged: () => Iterable<string>,
  look: (id: string) => Promise<void>,
  everyMs = EVERY_MS,
) {
  let isLooking = false;
  async function lookAtAll(): Promise<void> {
    const ids = [...damaged()].values();
    const lane = async () => {
      for (const id of ids) await look(id);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void lookAtAll().finally(() => {
      isLooking = false;
    });
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
