/**
 * Tests how Received fields of many mail servers are parsed, and how a falsely named mail program
 * is recognized.
 */

import { describe, expect, test } from 'vitest';
import type { Hop } from '../../../src/analysis/route/facts.ts';
import { readHop } from '../../../src/analysis/route/received.ts';
import { mail, read } from '../mail/mails.ts';

const DATE = 'Fri, 20 Nov 2026 12:00:00 +0100';
const AT = '2026-11-20T11:00:00.000Z';

/** Fields as each server writes them, and what should be read from them. */
const fields: readonly (readonly [string, string, Partial<Hop>])[] = [
  [
    'Postfix',
    `from app (app.example.com [198.51.100.9]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) (Authenticated sender: kanarienvogel@example.com) by mail.example.com (Postfix) with ESMTPSA id 4F1 for <kanarienvogel@example.net>; ${DATE} (CET)`,
    {
      from: 'app.example.com',
      from_kind: 'server',
      by: 'mail.example.com',
      protocol: 'ESMTPSA',
      encrypted: true,
      tls_version: 'TLSv1.3',
      at: AT,
      crossesInternet: true,
      authenticated: true,
      impossible: null,
    },
  ],
  [
    'Postfix, from a program',
    `by mail.example.com (Postfix, from userid 33) id 4F1; ${DATE}`,
    { from: null, from_kind: 'program', by: 'mail.example.com', protocol: null, encrypted: null },
  ],
  [
    'Postfix, of a name that is not known',
    `from pc (unknown [198.51.100.9]) by mail.example.com (Postfix) with ESMTP id 4F1; ${DATE}`,
    { from: null, from_kind: 'unnamed', encrypted: false, crossesInternet: true },
  ],
  [
    'Exim',
    `from [198.51.100.9] (port=4711 helo=app.example.com) by mail.example.com with esmtps (TLS1.2) tls TLS_AES_128_GCM_SHA256 (Exim 4.96) (envelope-from <kanarienvogel@example.com>) id 1tE; ${DATE}`,
    { from: 'app.example.com', protocol: 'ESMTPS', encrypted: true, tls_version: 'TLSv1.2' },
  ],
  [
    'Sendmail',
    `from app.example.com (localhost [127.0.0.1]) by mail.example.com (8.17.1/8.17.1) with ESMTP id 4AK for <kanarienvogel@example.net>; ${DATE}`,
    { from: 'app.example.com', from_kind: 'private', crossesInternet: false, encrypted: false },
  ],
  [
    'Exchange',
    `from AM0.example.com (2001:db8::15) by AM1.example.com (2001:db8::16) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.1; ${DATE}`,
    {
      from: 'am0.example.com',
      by: 'am1.example.com',
      protocol: 'SMTP',
      encrypted: true,
      tls_version: 'TLSv1.2',
    },
  ],
  [
    'a large provider',
    `by 2002:a05:6402:50c6:b0:5c9 with SMTP id n6; ${DATE}`,
    { from_kind: 'program', by: null, protocol: 'SMTP', encrypted: false, crossesInternet: false },
  ],
  [
    'qmail',
    `from unknown (HELO app.example.com) (198.51.100.9) by mail.example.com with SMTP; 20 Nov 2026 11:00:00 -0000`,
    { from: 'app.example.com', by: 'mail.example.com', encrypted: false, at: AT },
  ],
  [
    'a private network',
    `from web7.shop.internal (10.0.0.7) by mail.example.com with ESMTPS; ${DATE}`,
    { from: null, from_kind: 'private', encrypted: true, crossesInternet: false },
  ],
  [
    'an internal name alone',
    `from kanarienvogel.local by mail.example.com with ESMTP; ${DATE}`,
    { from: null, from_kind: 'private' },
  ],
  [
    'a line at home',
    `from [192.168.1.5] (p5b-198-51-100-9.dip0.isp.example [198.51.100.9]) by mail.example.com with ESMTPSA; ${DATE}`,
    { from: null, from_kind: 'unnamed', crossesInternet: true },
  ],
  [
    'an address that there is not',
    `from x.example ([300.1.2.3]) by mail.example.com with SMTP; ${DATE}`,
    { impossible: 'address', crossesInternet: false },
  ],
  [
    'an address that cannot exist, without a name',
    `from [300.1.2.3] by mail.example.com with SMTP; ${DATE}`,
    { from: null, impossible: 'address', crossesInternet: false },
  ],
  ['no time', 'from a.example by b.example with ESMTP id 1', { impossible: 'date', at: null }],
  ['nothing', '', { from: null, by: null, at: null, impossible: 'date' }],
  ['a comment that never closes', `from a.example (b by c.example; ${DATE}`, { by: null, at: AT }],
];

test.each(fields)('%s', (_, value, wanted) => {
  const hop = readHop(value);
  expect(hop).toMatchObject(wanted);
  expect(JSON.stringify(hop)).not.toContain('kanarienvogel');
});

describe('the route', () => {
  const at = (host: string) => `from a.example by ${host} with ESMTP; ${DATE}`;

  test('is read from the lowest field up', () => {
    const { route } = read(mail({ Received: [at('two.example'), at('one.example')] }));
    expect(route.hops.map(({ by }) => by)).toEqual(['one.example', 'two.example']);
  });

  test('is read up to a limit, and counted beyond it', () => {
    const { route } = read(mail({ Received: Array.from({ length: 60 }, () => at('one.example')) }));
    expect([route.hops.length, route.total]).toEqual([50, 60]);
  });

  test.each([
    ['mx.in.example.net', true],
    ['mx.example.net', false],
    ['in.example.net.example', false],
  ])('of an email that %s accepted names this service: %s', (host, namesUs) => {
    expect(read(mail({ Received: at(host) })).route.namesUs).toBe(namesUs);
  });
});

describe('a mail program', () => {
  const OUTLOOK = 'Microsoft Outlook 16.0';
  const mixed = (boundary: string) => `multipart/mixed; boundary="${boundary}"`;
  const OWN_ID = '<000001d5b2c1$0a3b2c40$1eb184c0$@example.com>';
  const OWN_BOUNDARY = '----=_NextPart_000_0001_01D5B2C1.0A3B2C40';
  const BAT = 'The Bat! (v9.3) Professional';
  const APPLE = 'Apple Mail (2.3774.600.62)';
  const UUID = '5F2C9A7E-1B7D-4C3A-9E11-2B7A6A0C9D10';

  test.each([
    [OUTLOOK, OWN_ID, OWN_BOUNDARY, null],
    [OUTLOOK, '<1@example.com>', OWN_BOUNDARY, null],
    [OUTLOOK, '<1@example.com>', '_000_DB7PR01MB1', null],
    [OUTLOOK, OWN_ID, 'b1', null],
    [OUTLOOK, '<1@example.com>', 'b1', 'Microsoft Outlook'],
    ['Outlook for Android', '<1@example.com>', 'b1', null],
    [APPLE, `<${UUID}@example.com>`, 'b1', null],
    [APPLE, '<1@example.com>', `Apple-Mail=_${UUID}`, null],
    [APPLE, '<1@example.com>', 'b1_1', 'Apple Mail'],
    ['Mozilla Thunderbird', '<1@example.com>', '------------ms050405020708030403010203', null],
    ['Mozilla Thunderbird', '<1@example.com>', '------------0O1p2q3R4s5T6u7V8w9X0y1Z', null],
    ['Mozilla Thunderbird', '<1@example.com>', '=_1', 'Mozilla Thunderbird'],
    [BAT, '<1234567890.20261120110000@example.com>', '=_1', null],
    [BAT, '<1@example.com>', '=_1', 'The Bat!'],
    ['Shop Mailer', '<1@example.com>', '=_1', null],
  ])('%s with the Message-ID %s and the boundary %s: %s', (mailer, id, boundary, wanted) => {
    const { route } = read(
      mail({ 'X-Mailer': mailer, 'Message-ID': id, 'Content-Type': mixed(boundary) }),
    );
    expect(route.falseMailer).toBe(wanted);
  });

  test.each([
    ['<1@shop.example>', 'text/plain', OUTLOOK, 'Microsoft Outlook'],
    ['<1@mail.shop.example>', 'text/plain', OUTLOOK, 'Microsoft Outlook'],
    [OWN_ID, 'text/plain', OUTLOOK, null],
    // A service that sends for others writes its own Message-ID, and a server keeps those of other programs.
    ['<0100019a@email.amazonses.com>', 'text/plain', OUTLOOK, null],
    ['<1@shop.example>', 'text/plain', APPLE, null],
  ])('an email of one part with the Message-ID %s', (id, type, mailer, wanted) => {
    const fields = { From: 'shop@shop.example', 'X-Mailer': mailer, 'Message-ID': id };
    expect(read(mail({ ...fields, 'Content-Type': type })).route.falseMailer).toBe(wanted);
  });

  test.each([
    ['of one part, with the id of another', { 'Content-Type': 'text/plain' }],
    ['through a list', { 'List-Id': '<a.example>' }],
    ['without an id', { 'Message-ID': null }],
    ['that is a bounce', { 'Content-Type': 'multipart/report; boundary="b"' }],
  ])('%s is never in doubt', (_, fields) => {
    const fakes = {
      'X-Mailer': OUTLOOK,
      'Message-ID': '<1@a.example>',
      'Content-Type': mixed('b'),
    };
    expect(read(mail(fakes)).route.falseMailer).toBe('Microsoft Outlook');
    expect(read(mail({ ...fakes, ...fields })).route.falseMailer).toBeNull();
  });
});
