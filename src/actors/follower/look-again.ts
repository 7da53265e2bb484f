import { createJobQueue } from '../job-queue.ts';

/** Between two looks, in milliseconds. */
const EVERY_MS = 2500;

/** Histories read at once: thousands may be damaged, and others wait for the log, too. */
const LANES = 16;

/**
 * Looks at histories that are damaged again and again: a store that was restored, a leader that has what
 * another one had lost, or a message that was removed tells nobody.
 */
export function lookAgain(
  damaged: () => Iterable<string>,
  look: (id: string) => Promise<void>,
  everyMs = EVERY_MS,
) {
  const looks = createJobQueue({ lanes: () => LANES, againMs: everyMs, onFault: () => {} });
  const timer = setInterval(() => {
    // Each is read once in a round.
    if (looks.size() === 0) for (const id of damaged()) looks.add(id, () => look(id));
  }, everyMs);
  return {
    stop(): void {
      clearInterval(timer);
      void looks.stop();
    },
  };
}
