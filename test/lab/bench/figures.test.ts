/** Tests the table of benchmark figures and their targets. */

import { describe, expect, test } from 'vitest';
import { type Figure, isMissed, toTable } from './figures.ts';

const plain: Figure = { what: 'a mail', value: 4.04, unit: 'ms' };

describe('a target', () => {
  test.each<[string, Figure, boolean]>([
    ['none', plain, false],
    ['most, kept to the last bit', { ...plain, value: 4, target: { most: 4 } }, false],
    ['most, missed', { ...plain, target: { most: 3.9 } }, true],
    ['least, kept to the last bit', { ...plain, value: 4, target: { least: 4 } }, false],
    ['least, missed', { ...plain, target: { least: 4.1 } }, true],
    ['is for the ratio where there is one', { ...plain, ratio: 2, target: { most: 2 } }, false],
    ['is missed by what is no number', { ...plain, value: Number.NaN, target: { most: 4 } }, true],
  ])('%s', (_, figure, missed) => {
    expect(isMissed(figure)).toBe(missed);
  });
});

test('the table has a column for each part, and shows what is missed', () => {
  const figures: Figure[] = [
    plain,
    {
      what: 'mails',
      value: 140.4,
      unit: 'a second',
      yardstick: 200,
      ratio: 0.702,
      spread: [0.6, 1],
    },
    { what: 'one', value: 12, unit: 'ms', yardstick: 4.04, ratio: 3, target: { most: 2.5 } },
  ];
  expect(toTable(figures)).toBe(
    [
      '                ours     yardstick                ratio  target',
      'a mail        4.0 ms',
      'mails   140 a second  200 a second  0.70 [0.60 to 1.00]',
      'one            12 ms        4.0 ms                 3.00   ≤ 2.5  MISSED',
    ].join('\n'),
  );
});
