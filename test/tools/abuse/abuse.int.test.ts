import { expect, test } from 'vitest';
import { abuse } from './abuse.ts';

/** In milliseconds; on two idle cores it takes a tenth. */
const TIMEOUT_MS = 300_000;

test('the attacks of a few seconds hold their thresholds', { timeout: TIMEOUT_MS }, async () => {
  // Of the environment only this: Vitest puts names of its own there.
  const { NATS_SERVER_BIN } = process.env;
  const env = { NATS_SERVER_BIN };
  const which = [
    'cycles',
    'unknownRecipients',
    'holders',
    'silentDns',
    'slowSmtp',
    'waiters',
    'deletions',
    'creationFlood',
    'creation',
  ] as const;
  const rows = await abuse({ which, seconds: 2, env });
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows).toHaveLength(which.length);
});
