/** Between two lines, and before the first one, in milliseconds: a short run prints nothing. */
const EVERY_MS = 2000;

/** Steps between two looks at the clock. */
const STEPS = 256;

/** Called at a step: what is done, how often so far, and how often it will be in the end. */
export type Progress = (what: string, done: number, total: () => number) => void;

/** Prints how far a long run has come, a line every 2 s. */
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
