/** Tests that a client finds and uses a live service by its own documents. */

import { expect, test } from 'vitest';
import { checkContract } from './contract.ts';

/** Parts that need no other tools, which take longer than all the rest. */
const QUICK = ['llms.txt', 'registries'];

test('a live service can be found and used from its own documents alone', async () => {
  const seen: string[] = [];
  for await (const { name, wrong } of checkContract()) {
    expect(wrong, name).toEqual([]);
    seen.push(name);
    if (seen.length === QUICK.length) break;
  }
  expect(seen).toEqual(QUICK);
});
