import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairQueue } from '../domain/fairness/fair-queue.ts';

/** Mails up to each size, in bytes, take turns among themselves, before all that are larger. */
const CLASSES = [64 * 1024, 256 * 1024, Number.POSITIVE_INFINITY];

interface Turn {
  readonly bytes: number;
  /** Whose mail it is, the widest network first. */
  readonly path: readonly string[];
}

/** Runs one piece of work after another. */
export type InTurn = <T>(turn: Turn, work: () => T) => Promise<T>;

/**
 * The content of mails is read one at a time, small ones first, in turn by network and client; and
 * whatever else is due comes in between.
 */
export function createContentTurns(): InTurn {
  const queues = CLASSES.map((size) => ({ size, waiting: createFairQueue<() => void>() }));
  let isRunning = false;

  async function pump(): Promise<void> {
    isRunning = true;
    for (;;) {
      await nextTurn();
      const start = queues.find(({ waiting }) => waiting.size() > 0)?.waiting.take();
      if (!start) break;
      start();
    }
    isRunning = false;
  }

  return ({ bytes, path }, work) =>
    new Promise((resolve, reject) => {
      const start = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      queues.find(({ size }) => bytes <= size)?.waiting.push(path, start);
      if (!isRunning) void pump();
    });
}
