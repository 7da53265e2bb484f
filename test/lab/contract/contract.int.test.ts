import { expect, test } from 'vitest';
import { checkContract } from './contract.ts';

test('a live service answers as its document says, to mails, to nonsense and to registries', async () => {
  const parts = await checkContract({ mails: 2, calls: 150, seed: 7, tools: false });
  expect(parts.flatMap(({ name, wrong }) => wrong.map((one) => `${name}: ${one}`))).toEqual([]);
  expect(parts).toHaveLength(4);
});
