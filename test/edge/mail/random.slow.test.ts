/** Tests the reading of emails with random and mutated emails. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seconds, timeout } from '../row.ts';
import { randomMail } from './random.ts';
import { faultOf } from './read.ts';
import { readSeeds } from './seeds.ts';
import { CANARY } from './words.ts';

const mails = randomMail(readSeeds(seconds === undefined ? undefined : process.env.CORPUS_DIR));

test('emails made to break the reading do not break it', timeout, async () => {
  const isRead = async (mail: string) => {
    expect(await faultOf(mail)).toBeNull();
  };
  await fc.assert(fc.asyncProperty(mails, isRead), runs(1000));
});

test('most emails contain the canary, so that a leak would be noticed', () => {
  const some = fc.sample(mails, { numRuns: 200, seed: 1 });
  expect(some.filter((mail) => mail.includes(CANARY)).length).toBeGreaterThan(80);
});

const signed = (more: string) =>
  `From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; bh=x; b=x; ${more}\r\n\r\n`;

// Each was found by random emails, and reduced by hand.
test.each<[name: string, mail: string]>([
  ['two c=, the last of which cannot be read', signed('h=from; c=&; c=//')],
  ['text in the names of h=', signed(`h=from:${CANARY}`)],
  ['text in a media type', `From: a@example.com\r\nContent-Type: text/${CANARY}\r\n\r\nx`],
  ['a c= without a part for the header', signed('h=from; c=/')],
  [
    'the same in a chain',
    'From: a@example.com\r\nARC-Seal: i=1; cv=none; a=rsa-sha256; d=example.net; s=s; b=x\r\nARC-Message-Signature: i=1; a=rsa-sha256; c=/; d=example.net; s=s; h=from; bh=x; b=x\r\nARC-Authentication-Results: i=1; x\r\n\r\n',
  ],
  [
    'a subject folded at every byte',
    `From: a@example.com\r\nSubject: x${'\r\n x'.repeat(60_000)}\r\n\r\n`,
  ],
])('%s is read', async (_, mail) => {
  expect(await faultOf(mail)).toBeNull();
});
