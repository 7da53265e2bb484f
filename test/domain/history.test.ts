/** Tests how gaps and damage are found in the history of a test. */

import { expect, test } from 'vitest';
import { createHistories, findDamage } from '../../src/domain/history.ts';

const whole = [
  { seq: 3, after: 0, type: 'TestCreated' },
  { seq: 7, after: 3, type: 'MailArrived' },
  { seq: 8, after: 7, type: 'AnalysisDone' },
];

test('a history in which each message follows on the one before is whole', () => {
  expect(findDamage(whole)).toBeUndefined();
  expect(findDamage([])).toBeUndefined();
});

test.each([
  ['the first', 1, 2, 7],
  ['one in between', 0, 2, 8],
])('the loss of %s leaves a hole', (_, one, other, seq) => {
  const remains = [whole[one], whole[other]].filter((link) => link !== undefined);
  expect(findDamage(remains)).toEqual({ problem: 'hole', seq });
});

test.each(['unreadable', 'wrong', 'newer'] as const)(
  'a message that is %s damages a history',
  (fault) => {
    expect(findDamage([...whole, { seq: 9, fault }])).toEqual({ problem: fault, seq: 9 });
  },
);

test.each(['Expired', 'TestDeleted'])('what %s has left has no holes', (type) => {
  const end = { seq: 12, after: 8, type };
  expect(findDamage([end])).toBeUndefined();
  expect(findDamage([...whole.slice(1), { seq: 9, fault: 'unreadable' }, end])).toBeUndefined();
});

test('a message that does not name the one before it counts as following on it', () => {
  expect(findDamage([whole[0] ?? { seq: 0 }, { seq: 7, type: 'MailArrived' }])).toBeUndefined();
});

test.each(['PaymentClosed', 'HistoryRestored'])('%s counts in place of all before it', (type) => {
  const links = [
    { seq: 3, after: 2 },
    { seq: 5, fault: 'wrong' as const },
    { seq: 9, after: 5, type },
  ];
  expect(findDamage(links)).toBeUndefined();
  expect(findDamage([...links, { seq: 12, after: 9 }])).toBeUndefined();
  expect(findDamage([...links, { seq: 12, after: 10 }])).toEqual({ problem: 'hole', seq: 12 });
});

test('histories that are read together are judged one by one', () => {
  const histories = createHistories();
  for (const link of whole) histories.add('whole', link);
  for (const link of whole.slice(1)) histories.add('damaged', link);
  expect(histories.damaged()).toEqual(['damaged']);
});
