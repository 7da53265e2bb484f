/** Tests the progress lines of long runs. */

import { expect, test } from 'vitest';
import { createProgress } from '../../../src/operator/replay/progress.ts';

/** Runs the given number of steps, each of which takes the given number of milliseconds. */
function run(steps: number, stepMs: number): readonly string[] {
  const lines: string[] = [];
  let time = 0;
  const progress = createProgress(
    (line) => lines.push(line),
    () => time,
  );
  for (let done = 1; done <= steps; done++) {
    time += stepMs;
    progress('tests', done, () => steps);
  }
  return lines;
}

test('a short run prints nothing', () => {
  expect(run(1999, 1)).toEqual([]);
});

test('a long run prints its progress every two seconds', () => {
  const lines = run(10_240, 1);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('tests: 2,048 of 10,240 (20 %)');
  expect(lines.at(-1)).toBe('tests: 10,240 of 10,240 (100 %)');
});
