import { expect, test } from 'vitest';
import { findFault } from './check.ts';
import { type Fault, fuzz, makeCase } from './fuzz.ts';
import { readSeeds } from './seeds.ts';
import { CANARY } from './words.ts';

const seeds = readSeeds(undefined);

test('1,000 mails made to break the reading do not', async () => {
  const found: Omit<Fault, 'mail'>[] = [];
  const { mails } = await fuzz({
    seeds,
    seed: 20_261_120,
    count: 1000,
    onFault: ({ seed, fault }) => found.push({ seed, fault }),
  });
  expect(mails).toBe(1000);
  expect(found).toEqual([]);
});

test('a seed makes the same mail again', () => {
  for (let seed = 0; seed < 50; seed += 1)
    expect(makeCase(seeds, seed)).toBe(makeCase(seeds, seed));
  expect(makeCase(seeds, 1)).not.toBe(makeCase(seeds, 2));
});

test('most mails hold the canary, so that a leak would be seen', () => {
  const mails = Array.from({ length: 200 }, (_, seed) => makeCase(seeds, seed));
  expect(mails.filter((mail) => mail.includes(CANARY)).length).toBeGreaterThan(80);
});

// Each was found by `npm run lab -- fuzz`, and cut down by hand.
test.each<[name: string, mail: string]>([
  [
    'two c=, the last of which cannot be read',
    'From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=x; b=x; c=&; c=//\r\n\r\n',
  ],
  [
    'text in the names of h=',
    `From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from:${CANARY}; bh=x; b=x\r\n\r\n`,
  ],
  ['text in a media type', `From: a@example.com\r\nContent-Type: text/${CANARY}\r\n\r\nx`],

  [
    'a c= without a part for the header',
    'From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=x; b=x; c=/\r\n\r\n',
  ],
  [
    'the same in a chain',
    'From: a@example.com\r\nARC-Seal: i=1; cv=none; a=rsa-sha256; d=example.net; s=s; b=x\r\nARC-Message-Signature: i=1; a=rsa-sha256; c=/; d=example.net; s=s; h=from; bh=x; b=x\r\nARC-Authentication-Results: i=1; x\r\n\r\n',
  ],
  [
    'a subject folded at every byte',
    `From: a@example.com\r\nSubject: x${'\r\n x'.repeat(60_000)}\r\n\r\n`,
  ],
])('%s is read', async (_, mail) => {
  expect(await findFault(mail)).toBeNull();
});
