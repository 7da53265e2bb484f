/** Tests how gaps and damage are found in the history of a test. */

import { expect, test } from 'vitest';
import { createHistories, findDamage } from '../../src/domain/history.ts';

const whole = [
  { seq: 3, after: 0, type: 'TestCreated' },
  { seq: 7, after: 3, type: 'MailArrived' },
  { seq: 8, after: 7, type: 'AnalysisDone' },
];

test('a history in which each message follows the one before is complete', () => {
  expect(findDamage(whole)).toBeUndefined();
  expect(findDamage([])).toBeUndefined();
});

test.each([
  ['the first', 1, 2, 7],
  ['one in between', 0, 2, 8],
])('the loss of %s leaves a gap', (_, one, other, seq) => {
  const remains = [whole[one], whole[other]].filter((link) => link !== undefined);
  expect(findDamage(remains)).toEqual({ problem: 'hole', seq });
});

test.each(['unreadable', 'wrong', 'newer'] as const)(
  'a message that is %s damages a history',
  (fault) => {
    expect(findDamage([...whole, { seq: 9, fault }])).toEqual({ problem: fault, seq: 9 });
  },
);

test.each(['Expired', 'TestDeleted'])('the remains of %s have no gaps', (type) => {
  const end = { seq: 12, after: 8, type };
  expect(findDamage([end])).toBeUndefined();
  expect(findDamage([...whole.slice(1), { seq: 9, fault: 'unreadable' }, end])).toBeUndefined();
});

test('a message that does not name the one before it counts as following it', () => {
  expect(findDamage([whole[0] ?? { seq: 0 }, { seq: 7, type: 'MailArrived' }])).toBeUndefined();
});

test.each(['PaymentClosed', 'HistoryRestored'])('%s replaces everything before it', (type) => {
  const links = [
    { seq: 3, after: 2 },
    { seq: 5, fault: 'wrong' as const },
    { seq: 9, after: 5, type },
  ];
  expect(findDamage(links)).toBeUndefined();
  expect(findDamage([...links, { seq: 12, after: 9 }])).toBeUndefined();
  expect(findDamage([...links, { seq: 12, after: 10 }])).toEqual({ problem: 'hole', seq: 12 });
});

test('histories that are read together are judged separately', () => {
  const histories = createHistories();
  for (const link of whole) histories.add('whole', link);
  for (const link of whole.slice(1)) histories.add('damaged', link);
  expect(histories.damaged()).toEqual(['damaged']);
});
