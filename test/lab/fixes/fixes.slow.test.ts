/** Tests that following the fixes of faulty setups cures them, and breaks nothing. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Analyzer,
  startWholeEnvironment,
  type WholeEnvironment,
} from '../../analysis/whole/environment.ts';
import { analyzingOnce } from '../../analysis/whole/remembering.ts';
import { allSetups } from './fixes.ts';
import { judgeFixes } from './judge.ts';
import { randomSetup } from './random-setups.ts';

let environment: WholeEnvironment;
let analyzer: Analyzer;
beforeAll(async () => {
  environment = await startWholeEnvironment();
  analyzer = analyzingOnce(environment);
});
afterAll(() => environment.stop());

/** A step without a common divisor with the choices, so that each of them is reached. */
const some = allSetups.filter((_, n) => n % 23 === 0);

test.each(some)(
  'following the printed fixes cures it, and breaks nothing: $name',
  async (setup) => {
    expect(await judgeFixes(setup, analyzer)).toMatchObject({ harm: [], others: [], left: [] });
  },
);

test('the same is true of random setups', async () => {
  await fc.assert(
    fc.asyncProperty(randomSetup, async (setup) => {
      expect(await judgeFixes(setup, analyzer)).toMatchObject({
        harm: [],
        others: [],
        left: [],
      });
    }),
    { seed: 35, numRuns: 20, endOnFailure: true },
  );
}, 300_000);
