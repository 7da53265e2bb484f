/** Prints the progress of a long run. */

/** Pause before the first line and between two lines, in milliseconds. A short run prints nothing. */
const EVERY_MS = 2000;

/** Number of steps between two readings of the clock. */
const STEPS = 256;

/**
 * Called at each step with the name of the work, the number of steps done, and a function that returns the
 * total.
 */
export type Progress = (what: string, done: number, total: () => number) => void;

/** Creates a function that prints the progress of a long run, with one line every 2 s. */
export function createProgress(write: (line: string) => void, now: () => number): Progress {
  let printedAt = now();
  let steps = 0;
  return (what, done, total) => {
    if (++steps % STEPS !== 0) return;
    const time = now();
    if (time - printedAt < EVERY_MS) return;
    printedAt = time;
    const all = total();
    write(`${what}: ${grouped(done)} of ${grouped(all)} (${Math.floor((100 * done) / all)} %)`);
  };
}

const grouped = (count: number) => count.toLocaleString('en-US');
