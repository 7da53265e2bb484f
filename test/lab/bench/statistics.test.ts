/** Tests the statistics of the benchmarks. */

import { describe, expect, test } from 'vitest';
import { alternate, compare, median, quantile } from './statistics.ts';

describe('a quantile', () => {
  const values = [5, 1, 4, 2, 3];

  test.each([
    [0, 1],
    [0.5, 3],
    [0.6, 3],
    [0.61, 4],
    [0.99, 5],
    [1, 5],
  ])('of five values at %d is %d', (share, value) => {
    expect(quantile(values, share)).toBe(value);
  });

  test('leaves the order of its values unchanged', () => {
    quantile(values, 0.5);
    expect(values).toEqual([5, 1, 4, 2, 3]);
  });

  test('of no values is not a number', () => {
    expect(median([])).toBeNaN();
  });

  test('compares numbers by size, not by spelling', () => {
    expect(median([10, 9, 100])).toBe(10);
  });
});

test('the ratio is the median of the pairs, not of the medians', () => {
  const pairs = [
    { ours: 2, yardstick: 1 },
    { ours: 30, yardstick: 10 },
    { ours: 8, yardstick: 2 },
  ];
  expect(compare(pairs)).toEqual({ value: 8, yardstick: 2, ratio: 3, spread: [2, 4] });
});

test('each side goes first in turn', async () => {
  const order: string[] = [];
  const side = (name: string, value: number) => async () => {
    order.push(name);
    return value;
  };
  const pairs = await alternate(3, side('ours', 1), side('yardstick', 2));
  expect(order).toEqual(['ours', 'yardstick', 'yardstick', 'ours', 'ours', 'yardstick']);
  expect(pairs).toEqual(Array(3).fill({ ours: 1, yardstick: 2 }));
});
