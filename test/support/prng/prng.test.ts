/** Tests the pseudo-random choices. */

import { expect, test } from 'vitest';
import { prng } from './prng.ts';

const row = (seed: number) => {
  const { integer } = prng(seed);
  return Array.from({ length: 50 }, () => integer(0, 9));
};

test('a seed gives the same choices again, and another seed gives others', () => {
  expect(row(7)).toEqual(row(7));
  expect(row(7)).not.toEqual(row(8));
});

test('every number of a range comes up, and none outside it', () => {
  expect(new Set(row(1))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

test('a split sequence does not depend on how much of the rest is used', () => {
  const [one, other] = [prng(3), prng(3)];
  const [first, second] = [one.split(), other.split()];
  one.number();
  expect(first.number()).toBe(second.number());
});
