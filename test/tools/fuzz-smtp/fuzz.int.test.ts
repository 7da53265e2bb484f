import { expect, test } from 'vitest';
import { fuzzSmtp } from './fuzz.ts';

test('five thousand random commands: each is answered, and nothing is left behind', async () => {
  const faults: unknown[] = [];
  const result = await fuzzSmtp({ seed: 1, count: 5000, onFault: (fault) => faults.push(fault) });
  expect(faults).toEqual([]);
  expect(result.mails).toBeGreaterThan(100);
});
