import { createFairQueue } from '../../domain/fair-queue.ts';

/** From this size on a mail is large, in bytes: it takes a worker ten times as long as most. */
const LARGE_BYTES = 1024 * 1024;

/** Small mails in a row that may pass a large one. */
const MAX_PASSED = 8;

interface Waiting {
  readonly isLarge: boolean;
  readonly start: () => void;
}

/**
 * Gives workers to mails: in turn by network and client, small mails first. Large ones leave a worker
 * free for small ones, where there are two or more.
 */
export function createWorkerQueue(workers: number) {
  const waiting = createFairQueue<Waiting>();
  const maxLarge = Math.max(1, workers - 1);
  let running = 0;
  let largeRunning = 0;
  let passed = 0;

  function takeNext(): Waiting | undefined {
    const mayBeLarge = largeRunning < maxLarge;
    const takeLarge = () => (mayBeLarge ? waiting.take(({ isLarge }) => isLarge) : undefined);
    const overdue = passed >= MAX_PASSED ? takeLarge() : undefined;
    return overdue ?? waiting.take(({ isLarge }) => !isLarge) ?? takeLarge();
  }

  function startNext(): void {
    while (running < workers) {
      const next = takeNext();
      if (!next) return;
      running += 1;
      if (next.isLarge) largeRunning += 1;
      passed = next.isLarge ? 0 : passed + 1;
      next.start();
    }
  }

  return {
    /**
     * Starts the work when its turn comes; its worker is free again when it settles.
     *
     * @param path the client's widest network first
     * @returns takes it out of the queue; false: it has started
     */
    enqueue(path: readonly string[], bytes: number, work: () => Promise<unknown>): () => boolean {
      const isLarge = bytes >= LARGE_BYTES;
      const start = () => {
        const free = () => {
          running -= 1;
          if (isLarge) largeRunning -= 1;
          startNext();
        };
        work().then(free, free);
      };
      const entry: Waiting = { isLarge, start };
      waiting.push(path, entry);
      startNext();
      return () => waiting.remove(entry);
    },
  };
}
