import { expect, test } from 'vitest';
import { storageRound } from './round.ts';

// A seed decides what is damaged and where; these are a start: `npm run soak -- storage` goes on.
test.each([1, 2, 3, 4, 5, 6])(
  'after damage to its files a log answers as before or not at all (seed %i)',
  { timeout: 120_000 },
  async (seed) => {
    const { what, wrong } = await storageRound(seed);
    expect(wrong, what).toEqual([]);
  },
);
