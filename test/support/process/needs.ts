import type { TestContext } from 'vitest';

/** Skips the rest of a test on a machine that lacks something. `npm test` prints `why`. */
export function needs(
  { task, skip }: TestContext,
  something: unknown,
  why: string,
): asserts something {
  if (something) return;
  Object.assign(task.meta, { skipped: why });
  skip(why);
}
