/**
 * Tests how an email is classified as marketing, transactional, automatic, personal or a post to a
 * discussion list, and the evidence that is named for it.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlMail, mail, read, utf8 } from '../mail/mails.ts';

type Fields = Parameters<typeof mail>[0];

const encoded = (subject: string) =>
  `=?UTF-8?B?${Buffer.from(subject, 'utf8').toString('base64')}?=`;

const classOf = (fields: Fields, body: string, more = {}) =>
  read(
    mail({ 'Content-Type': 'text/plain; charset=utf-8', Subject: 'Hello', ...fields }, utf8(body)),
    more,
  ).headers.classification;

const LEAVE = '\r\n\r\nUnsubscribe: https://shop.example/u/1';

const mails: readonly [expected: string, about: string, fields: Fields, body: string][] = [
  ['marketing', 'an offer', { Subject: 'Boots: 30% off' }, `Until Friday.${LEAVE}`],
  ['marketing', 'a newsletter', { Subject: 'Notes from the workshop' }, `We made chairs.${LEAVE}`],
  ['marketing', 'a campaign tool', { 'X-MC-User': '1' }, 'Good day.'],
  ['marketing', 'Precedence: bulk', { Precedence: 'bulk' }, 'Good day.'],
  [
    'marketing',
    'a list without answers',
    { 'List-Id': '<n.shop.example>', From: 'news@shop.example' },
    'Good day.',
  ],
  [
    'marketing',
    'German',
    { Subject: 'Nur heute: 20 % Rabatt' },
    'Jetzt kaufen. Hier abmelden: https://a.example/a',
  ],
  ['marketing', 'Dutch', { Subject: 'Onze nieuwsbrief' }, 'Uitschrijven: https://a.example/u'],
  [
    'marketing',
    'Japanese',
    { Subject: encoded('夏のセール開催中') },
    '全品割引 https://a.example/',
  ],
  ['marketing', 'an appeal', { Subject: 'Give today' }, `Your gift helps.${LEAVE}`],
  [
    'marketing',
    'a newsletter whose List-Post is a page',
    { 'List-Post': '<https://n.example/p/1>', 'List-Id': '<n.example>', From: 'news@n.example' },
    'Good day.',
  ],
  [
    'transactional',
    'an Arabic code',
    { Subject: encoded('رمز التحقق الخاص بك'), From: 'no-reply@a.example' },
    'رمز التحقق الخاص بك هو 482913.',
  ],
  [
    'transactional',
    'a German refund',
    { Subject: encoded('Ihre Retoure ist eingegangen'), From: 'service@a.example' },
    'Die Erstattung erfolgt auf Ihre Karte.',
  ],
  [
    'unknown',
    'a receipt by a form, whose program is no person',
    { Subject: 'Summer party', From: 'Google Forms <forms-receipts-noreply@a.example>' },
    'Thanks for filling out the form.',
  ],
  [
    'transactional',
    'a Turkish order',
    { Subject: encoded('Siparişiniz alındı'), From: 'siparis@a.example' },
    'Sipariş no 1042, toplam 420 TL.',
  ],
  [
    'automatic',
    'an error that a tracker reports',
    {
      'X-Sentry-Project': 'shop',
      'List-Id': '<shop.a.example>',
      'List-Unsubscribe': '<https://a.example/u>',
    },
    `TypeError in shop${LEAVE}`,
  ],
  ['transactional', 'a receipt', { Subject: 'Your receipt from Cafe' }, `Total paid: 4.20${LEAVE}`],
  [
    'transactional',
    'a receipt with the marks of bulk',
    { Subject: 'Invoice 71', Precedence: 'bulk', 'Auto-Submitted': 'auto-generated' },
    'Amount due: 20.00. Payment received with thanks, order 10428.',
  ],
  [
    'transactional',
    'a code',
    { From: 'no-reply@a.example', Subject: '118204 is your security code' },
    'Valid for 10 minutes.',
  ],
  [
    'transactional',
    'French',
    { From: 'factures@a.example', Subject: 'Votre commande' },
    'Votre facture est en ligne.',
  ],
  [
    'transactional',
    'an appointment',
    { From: 'reception@a.example', Subject: 'Your appointment' },
    'Tuesday at 9.',
  ],
  ['unknown', 'an appointment by words alone', { Subject: 'Your appointment' }, 'Tuesday at 9.'],
  ['unknown', 'an offer by words alone', { From: 'x@a.example', Subject: 'A deal' }, 'Sale!'],
  ['automatic', 'an answer', { 'Auto-Submitted': 'auto-replied' }, 'I am away.'],
  ['automatic', 'a bounce', { 'Content-Type': 'multipart/report; boundary=b' }, '--b--'],
  ['automatic', 'a program', { From: 'cron@a.example', 'Auto-Submitted': 'auto-generated' }, 'ok'],
  [
    'discussion_list',
    'a post',
    { 'List-Id': '<l.a.example>', 'List-Post': '<mailto:l@a.example>' },
    LEAVE,
  ],
  [
    'discussion_list',
    'a sale on a list',
    { 'List-Post': '<mailto:l@a.example>', Subject: 'For sale' },
    '50% off',
  ],
  [
    'discussion_list',
    'an answer on a list',
    { 'List-Id': '<l.a.example>', 'In-Reply-To': '<1@a.example>', Precedence: 'list' },
    'Yes.',
  ],
  ['personal', 'an answer', { 'In-Reply-To': '<1@a.example>' }, 'Yes, see you at 7.'],
  ['personal', 'a letter', { From: 'Nora Hale <nora.hale@hale.example>' }, 'Are you coming?'],
  ['personal', 'a mail program', { 'X-Mailer': 'Apple Mail (2.3)' }, 'Are you coming?'],
  [
    'transactional',
    'no subject',
    { From: 'orders@a.example', Subject: '' },
    'Your order 10428 has shipped. Track it.',
  ],
  [
    'automatic',
    'a full disk',
    { From: 'grafana@a.example', Subject: 'Disk is 93% full' },
    'Free some space.',
  ],
  ['unknown', 'a share that is no offer', { Subject: 'Humidity is 93%' }, 'Open a window.'],
  ['unknown', 'nothing to go by', { From: 'x@a.example' }, 'Good day.'],
  [
    'unknown',
    'an offer beside an order',
    { From: 'x@a.example', Subject: 'Your order and 20% off' },
    'Good day.',
  ],
];

test.each(mails)('%s: %s', (expected, _, fields, body) => {
  const found = classOf(fields, body);
  expect(found.class, found.evidence.join('; ')).toBe(expected);
  expect(found.confidence > 0).toBe(expected !== 'unknown');
});

test('an empty envelope sender means a machine', () => {
  expect(classOf({}, 'Good day.', { nullSender: true }).class).toBe('automatic');
});

test('a page of pictures and links with a way to unsubscribe is marketing', () => {
  const picture = '<a href="https://a.example/1"><img src="https://a.example/1.png" alt="x"></a>';
  const out = '<a href="https://a.example/u">Unsubscribe</a>';
  expect(read(htmlMail(picture.repeat(5) + out)).headers.classification).not.toMatchObject({
    class: 'personal',
  });
});

describe('evidence', () => {
  test('names header fields and kinds of words, but never a word of the email', () => {
    const { evidence } = classOf({ Subject: 'Secret Sale 50% off' }, `Zanzibar deals${LEAVE}`);
    expect(evidence[0]).toBe('words typical of an offer in the subject');
    expect(evidence.join(' ')).not.toMatch(/secret|zanzibar|50/i);
  });

  test('any text has a class, the same twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, two) => {
        const subject = encoded(one);
        const found = classOf({ Subject: subject }, two);
        expect(classOf({ Subject: subject }, two)).toEqual(found);
        expect(found.confidence).toBeLessThan(1);
      }),
      { numRuns: 200 },
    );
  });
});
