/** Tests that setups which receivers treat alike get similar scores. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effects } from './effects.ts';
import { startWholeEnvironment, type WholeEnvironment } from './environment.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

/** Largest difference in points between equal effects. */
const SPREAD = 3;

describe('the actions of receivers decide the price', () => {
  test.each(effects)('$about', async ({ band: [lowest, highest], setups }) => {
    const scores: Record<string, number> = {};
    for (const [about, one] of Object.entries(setups))
      scores[about] = (await environment.analyze(one)).report.score;
    const all = Object.values(scores);
    const shown = JSON.stringify(scores);
    expect(Math.min(...all), shown).toBeGreaterThanOrEqual(lowest);
    expect(Math.max(...all), shown).toBeLessThanOrEqual(highest);
    expect(Math.max(...all) - Math.min(...all), shown).toBeLessThanOrEqual(SPREAD);
  });
});
