import { onTestFinished, vi } from 'vitest';

const now = performance.now.bind(performance);
let ahead = 0;

/** Lets this many milliseconds pass for anything that measures a duration, until the end of the test. */
export function elapse(milliseconds: number): void {
  ahead += milliseconds;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => {
    ahead = 0;
    spy.mockRestore();
  });
}
