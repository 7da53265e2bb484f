/** Tests that the golden reports are reproducible. */

import { expect, test } from 'vitest';
import { goldenMails } from './mails.ts';
import { goldenReport } from './reports.ts';

const mails = goldenMails({ fuzz: 20, largeBytes: 4096 });
const some = mails.filter(({ name }) => /\.eml$|^fuzz|dkim\/plain/.test(name));

test('a golden report is the same each time it is made', async () => {
  expect(some.length).toBeGreaterThan(20);
  for (const mail of some)
    expect(await goldenReport(mail), mail.name).toBe(await goldenReport(mail));
});

test('the golden emails have different names, and reports that differ', async () => {
  expect(new Set(mails.map(({ name }) => name)).size).toBe(mails.length);
  const reports = await Promise.all(some.map(goldenReport));
  expect(new Set(reports).size).toBeGreaterThan(some.length / 2);
});
