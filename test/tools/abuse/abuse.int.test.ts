import { expect, test } from 'vitest';
import { abuse } from './abuse.ts';

test('the attacks of a few seconds hold their thresholds', async () => {
  const rows = await abuse(['cycles', 'unknownRecipients', 'holders', 'creation'], 2);
  expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  expect(rows).toHaveLength(4);
});
