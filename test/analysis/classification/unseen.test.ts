/**
 * Tests the classification with emails that were not used to develop it, and that none of them is taken for
 * an impostor's.
 */

import { describe, expect, test } from 'vitest';
import { mail, read, utf8 } from '../mail/mails.ts';
import { marketing } from './unseen/marketing.ts';
import {
  marketingWithoutWayOut,
  personalAboutBusiness,
  transactionalWithWayOut,
} from './unseen/mixed.ts';
import { automatic, discussionLists, personal } from './unseen/others.ts';
import {
  secondAutomatic,
  secondMarketing,
  secondPersonal,
  secondTransactional,
} from './unseen/second.ts';
import { bulkWithNetworks, otherLetters, signedLetters } from './unseen/signed.ts';
import { thirdAutomatic, thirdLists, thirdMarketing, thirdTransactional } from './unseen/third.ts';
import { transactional } from './unseen/transactional.ts';
import type { UnseenMail } from './unseen/unseen-mail.ts';

const encoded = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

const encodedFrom = (from: string) =>
  from.replace(/^(.*) (<.*>)$/, (_, name, address) => `${encoded(name)} ${address}`);

const readUnseen = ({ from, subject, fields, nullSender, body }: UnseenMail) =>
  read(
    mail(
      {
        ...fields,
        From: encodedFrom(from),
        Subject: encoded(subject),
        'Content-Type': `text/${body.startsWith('<') ? 'html' : 'plain'}; charset=utf-8`,
      },
      utf8(body.replaceAll('\n', '\r\n')),
    ),
    { nullSender: nullSender === true },
  ).headers;

const [secondWithoutWayOut = [], secondWithWayOut = []] = [true, false].map((wanted) =>
  secondMarketing.filter(({ about }) => about.endsWith('without a way out') === wanted),
);

/** Plain offers, in which no header, layout or link to unsubscribe shows that they go to many. */
const wordsAlone = [...marketingWithoutWayOut, ...secondWithoutWayOut];

const classes = Object.entries({
  marketing: [...marketing, ...secondWithWayOut, ...thirdMarketing],
  transactional: [
    ...transactional,
    ...transactionalWithWayOut,
    ...secondTransactional,
    ...thirdTransactional,
  ],
  discussion_list: [...discussionLists, ...thirdLists],
  automatic: [...automatic, ...secondAutomatic, ...thirdAutomatic],
  personal: [...personal, ...personalAboutBusiness, ...secondPersonal, ...signedLetters],
});
const all = classes.flatMap(([name, mails]) => mails.map((one) => [name, one.about, one] as const));

/** Least share of the emails whose class must be recognized. The others must be reported as unknown. */
const MIN_KNOWN = 0.95;

describe('emails in many languages that were not used to choose the words', () => {
  test.each(all)('%s is not classified as something else: %s', (name, _, one) => {
    const { classification } = readUnseen(one);
    expect([name, 'unknown'], classification.evidence.join('; ')).toContain(classification.class);
  });

  test.each(classes)('%s is recognized', (name, mails) => {
    const missed = mails.filter((one) => readUnseen(one).classification.class !== name);
    expect(missed.length, missed.map(({ about }) => about).join('; ')).toBeLessThanOrEqual(
      mails.length * (1 - MIN_KNOWN) + 0.5,
    );
  });

  test.each(wordsAlone)('words alone make nobody a sender of bulk email: $about', (one) => {
    const { classification, bulk } = readUnseen(one);
    expect(classification.class, classification.evidence.join('; ')).toBe('unknown');
    expect(bulk).toMatchObject({ isBulk: false, mayBe: false });
  });

  test.each(all)('%s accuses nobody: %s', (_name, _, one) => {
    expect(readUnseen(one).impersonation).toEqual([]);
  });

  test.each([...signedLetters, ...otherLetters])(
    'a signature makes no letter bulk email: $about',
    (one) => {
      const { classification, bulk } = readUnseen(one);
      expect(classification.class, classification.evidence.join('; ')).not.toBe('marketing');
      expect(bulk).toMatchObject({ isBulk: false, mayBe: false });
    },
  );

  test.each(bulkWithNetworks)('marketing that shows itself stays bulk email: $about', (one) => {
    const { classification, bulk } = readUnseen(one);
    expect(classification.class, classification.evidence.join('; ')).toBe('marketing');
    expect(bulk.isBulk, classification.evidence.join('; ')).toBe(true);
  });
});
