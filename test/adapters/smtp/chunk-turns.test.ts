import { expect, test } from 'vitest';
import { createChunkTurns } from '../../../src/adapters/smtp/chunk-turns.ts';

test('uploads read in turn, four chunks in a round of the event loop', async () => {
  const turn = createChunkTurns();
  const read: string[] = [];
  const upload = async (name: string) => {
    for (let i = 0; i < 3; i++) {
      await new Promise<void>(turn);
      read.push(name);
    }
  };
  const names = Array.from({ length: 10 }, (_, i) => `u${i}`);
  const all = Promise.all(names.map(upload));
  await new Promise(setImmediate);
  await Promise.resolve();
  expect(read).toEqual(names.slice(0, 4));
  await all;
  expect(read.slice(0, 10)).toEqual(names);
  expect(read).toHaveLength(30);
});
