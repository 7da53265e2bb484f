/** Tests the runnable blocks of README and docs. */

import { expect, test } from 'vitest';
import { allBlocks } from './blocks.ts';
import { isShort, runAll } from './examples.ts';

test('the blocks that README and docs mark as runnable run, in the order of the page', async () => {
  const blocks = allBlocks().filter(isShort);
  expect(blocks.length).toBeGreaterThan(6);
  expect(await runAll(blocks)).toEqual([]);
});
