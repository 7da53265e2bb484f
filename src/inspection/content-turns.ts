import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Runs one piece of work after another, the one for the smallest mail first. */
export type InTurn = <T>(bytes: number, work: () => T) => Promise<T>;

/** The content of mails is read one at a time, and whatever else is due comes in between. */
export function createContentTurns(): InTurn {
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function pump(): Promise<void> {
    isRunning = true;
    for (;;) {
      await nextTurn();
      const [first] = waiting.sort((one, other) => one.bytes - other.bytes);
      if (!first) break;
      waiting.shift();
      first.start();
    }
    isRunning = false;
  }

  return (bytes, work) =>
    new Promise((resolve, reject) => {
      const start = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      waiting.push({ bytes, start });
      if (!isRunning) void pump();
    });
}
