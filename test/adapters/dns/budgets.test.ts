/** Tests the budgets of DNS queries per test and per client. */

import { expect, test } from 'vitest';
import { createQueryBudgets, MAX_QUERIES } from '../../../src/adapters/dns/budgets.ts';

const ONE = { ip: '192.0.2.25', testId: 'one' };
const limits = { queriesPerClient: 3 * MAX_QUERIES, queriesPerTest: 2 * MAX_QUERIES };

test('an email reserves everything that it may need, from the budgets of its test and its client', () => {
  const { reserve } = createQueryBudgets(limits);
  expect([0, 1, 2].map(() => reserve(ONE, 0))).toEqual([true, true, false]);
  // The client's budget was not charged for what the test could not get.
  expect([0, 1].map(() => reserve({ ...ONE, testId: 'other' }, 0))).toEqual([true, false]);
  expect(reserve({ ip: '198.51.100.1', testId: 'third' }, 0)).toBe(true);
});

test('anything unused is left for the next email, but only within this minute', () => {
  const { reserve, giveBack } = createQueryBudgets({ ...limits, queriesPerTest: 0 });
  for (let n = 0; n < 50; n++) {
    expect(reserve(ONE, 0)).toBe(true);
    giveBack(ONE, 0, 10);
  }
  expect([0, 1].map(() => reserve(ONE, 0))).toEqual([true, false]);
  giveBack(ONE, 61_000, 0);
  expect([0, 1, 2, 3].map(() => reserve(ONE, 61_000))).toEqual([true, true, true, false]);
});

test.each([
  [{ ip: '127.0.0.1', testId: 'one' }, limits],
  [ONE, { queriesPerClient: 0, queriesPerTest: 0 }],
])('the operator has no budget, and 0 means no limit', (consumer, settings) => {
  const { reserve } = createQueryBudgets(settings);
  for (let n = 0; n < 100; n++) expect(reserve(consumer, 0)).toBe(true);
});
