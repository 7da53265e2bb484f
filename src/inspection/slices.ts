/**
 * Shares the processor of one thread between the analyses of several emails: small emails go first, networks
 * and clients take turns, and other work runs in between.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairQueue } from '../domain/fairness/fair-queue.ts';

/** The steps of an analysis that only use the processor, the last step first. */
const STEPS = ['write', 'read', 'verify'] as const;
export type SliceStep = (typeof STEPS)[number];

/**
 * Upper bounds of the size classes, in bytes. Emails of one class take turns among themselves, and go before
 * all larger ones.
 */
const CLASSES = [64 * 1024, 256 * 1024, Number.POSITIVE_INFINITY];

/**
 * How long a thread works on emails before it lets other work run, such as answers from DNS, in
 * milliseconds. A shorter slice ends before a step has run for all emails that wait for it: with 4 ms, eight
 * emails at once need a sixth more processor time.
 */
const SLICE_MS = 16;

/** An email that is waiting for the processor. */
interface Turn {
  readonly bytes: number;
  /** The networks that the email belongs to, the widest first. */
  readonly path: readonly string[];
}

/** Runs one step of one email's analysis when its turn comes. */
export type InSlice = <T>(step: SliceStep, turn: Turn, work: () => T | Promise<T>) => Promise<T>;

/**
 * Shares one thread between emails. Small emails go first, and networks and clients take turns. Each step is
 * run for several emails in a row, because the processor runs code faster if it has just run it. The event
 * loop gets its turn after each slice.
 *
 * @param clock returns milliseconds
 */
export function createSlices(clock = () => performance.now()): InSlice {
  const queues = CLASSES.flatMap((size) =>
    STEPS.map((step) => ({ size, step, waiting: createFairQueue<() => void>() })),
  );
  let isRunning = false;

  const takeNext = () => queues.find(({ waiting }) => waiting.size() > 0)?.waiting.take();

  function runSlice(): void {
    const end = clock() + SLICE_MS;
    let start = takeNext();
    while (start) {
      start();
      start = clock() < end ? takeNext() : undefined;
    }
  }

  async function pump(): Promise<void> {
    isRunning = true;
    while (queues.some(({ waiting }) => waiting.size() > 0)) {
      await nextTurn();
      runSlice();
    }
    isRunning = false;
  }

  return (step, { bytes, path }, work) =>
    new Promise((resolve, reject) => {
      const start = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      queues.find((queue) => queue.step === step && bytes <= queue.size)?.waiting.push(path, start);
      if (!isRunning) void pump();
    });
}
