/**
 * Tests that improving an email never lowers its score, and that removing a good thing never raises it.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Analyzer,
  startWholeEnvironment,
  type WholeEnvironment,
} from '../../analysis/whole/environment.ts';
import { analyzingOnce } from '../../analysis/whole/remembering.ts';
import { findSteps } from './monotone.ts';
import { randomEmail } from './random-emails.ts';

let environment: WholeEnvironment;
let analyzer: Analyzer;
beforeAll(async () => {
  environment = await startWholeEnvironment();
  analyzer = analyzingOnce(environment);
});
afterAll(() => environment.stop());

test('correcting one thing never lowers a score, and removing a good thing never raises it', async () => {
  await fc.assert(
    fc.asyncProperty(randomEmail, async (one) => {
      expect(await findSteps(one, analyzer)).toEqual([]);
    }),
    { seed: 54, numRuns: 12, endOnFailure: true },
  );
});
