import { expect, test } from 'vitest';
import { createChunkTurns } from '../../../src/adapters/smtp/chunk-turns.ts';

test('uploads read in turn, eight chunks in a round of the event loop', async () => {
  const turn = createChunkTurns();
  const read: string[] = [];
  const upload = async (name: string) => {
    for (let i = 0; i < 3; i++) {
      await turn();
      read.push(name);
    }
  };
  const names = Array.from({ length: 10 }, (_, i) => `u${i}`);
  const all = Promise.all(names.map(upload));
  await new Promise(setImmediate);
  await Promise.resolve();
  expect(read).toEqual(names.slice(0, 8));
  await all;
  expect(read.slice(0, 10)).toEqual([...names.slice(0, 8), 'u8', 'u9']);
  expect(read).toHaveLength(30);
});
