import { expect, test } from 'vitest';
import { createContentTurns } from '../../src/inspection/content-turns.ts';

test('contents are read small ones first, in turn by network, and one that breaks stops no other', async () => {
  const inTurn = createContentTurns();
  const order: string[] = [];
  const read = (name: string, network: string, bytes = 1000) =>
    inTurn({ bytes, path: [network, name] }, () => {
      order.push(name);
      if (name === 'broken') throw new Error('broken');
    }).catch(() => undefined);
  await Promise.all([
    read('large', 'honest', 900_000),
    read('flood 1', 'flood'),
    read('flood 2', 'flood'),
    read('broken', 'flood'),
    read('honest', 'honest', 60_000),
  ]);
  expect(order).toEqual(['flood 1', 'honest', 'flood 2', 'broken', 'large']);
  await read('later', 'honest');
  expect(order.at(-1)).toBe('later');
});
