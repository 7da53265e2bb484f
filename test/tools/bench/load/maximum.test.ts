import { expect, test } from 'vitest';
import { edgeOf, keepsUp } from './maximum.ts';
import type { Phase } from './phase.ts';
import { summarize } from './summary.ts';

const waiting = (last: number) => ({ first: 0, last });

test.each([
  [{ begun: 100, ready: 100, erase_backlog: waiting(30) }, true],
  [{ begun: 100, ready: 99, erase_backlog: waiting(0) }, false],
  [{ begun: 100, ready: 100, erase_backlog: waiting(31) }, false],
])('%j at ten a second: %s', (outcome, expected) => {
  expect(keepsUp(outcome, 10)).toBe(expected);
});

test.each([20, 100, 105, 500])('from %d tests a second the edge is found', async (first) => {
  const edge = await edgeOf(first, async (aSecond) => aSecond <= 100);
  expect(edge).toBeLessThanOrEqual(100);
  expect(edge).toBeGreaterThan(89);
});

test('what is ready in a second counts when a phase has got going, and while it lasts', () => {
  const ended = (atMs: number): Phase['endings'][number] => ({
    ...{ how: 'ready', testId: 'p66y4gqrvsnz', mailMs: 1, readyMs: 1, pollMs: 1, atMs },
  });
  const endings = [1999, 2001, 6000, 10_000, 10_001].map(ended);
  const phase = { begun: 5, forMs: 10_000, endings, samples: [] };
  expect(summarize(phase)).toMatchObject({ ready: 5, ready_a_second: 0.4 });
});
