/** Tests that nothing private in an email reaches the gate, the facts or the report. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Facts } from '../../src/analysis/facts.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { isReport } from '../../src/domain/report/report.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  readFacts,
  sign,
  startInspectionEnvironment,
  toBytes,
  zoneWith,
} from '../support/mail/inspection-environment.ts';

/** A word of letters only, so that it can be used in a local part, a token and a file name alike. */
const STEM = 'kanarienvogel';
const places: string[] = [];

/** Returns a different canary for each place, so that one that got out tells where it was. */
function canary(place: string): string {
  places.push(place);
  const letters = String(places.length).replace(
    /\d/g,
    (digit) => 'abcdefghij'[Number(digit)] ?? '',
  );
  return `${STEM}q${letters}q`;
}

const c = canary;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const encoded = (text: string) => `=?utf-8?b?${base64(text)}?=`;

const html = `<html lang="${c('lang')}"><title>${c('title')}</title><style>.${c('style')}{}</style>
<body class="${c('class')}"><!--${c('comment')}--><p id="${c('id')}">${c('text')} {{${c('field')}}} %%${c('field of another kind')}%%</p>
<a href="https://${c('user')}:${c('password')}@www.example.com/${c('path')}?q=${c('query')}#${c('fragment')}">${c('link text')}</a>
<a href="https://example.com/${c('shown path')}">https://www.example.org/${c('shown target')}</a>
<a href="mailto:${c('mailto')}@example.com">x</a><a href="tel:${c('tel')}">x</a><a href="${c('scheme')}:x">x</a>
<a href="https://bit.ly/${c('short link')}">x</a><img src="cid:${c('cid')}" alt="${c('alt')}"><img src="data:image/png;base64,${c('data')}">
<img src="https://t.example.com/${c('pixel')}.gif?${c('pixel query')}" width=1 height=1>
<form action="https://example.com/${c('action')}"><input name="${c('input')}"></form><script>${c('script')}</script></body></html>`;

const mail = [
  `From: "${c('display name')}" <${c('From')}@example.com> (${c('comment of From')})`,
  `Sender: ${c('Sender')}@example.com`,
  `Reply-To: ${encoded(c('name of Reply-To'))} <${c('Reply-To')}@example.net>`,
  `To: ${c('name of To')} <${c('To')}@example.net>, abcdefghijkl@in.example.net`,
  `Cc: ${c('Cc')}@example.net`,
  `Bcc: ${c('Bcc')}@example.net`,
  `Return-Path: <${c('Return-Path')}@example.com>`,
  `Subject: ${c('Subject')} ${encoded(c('encoded Subject'))} {{${c('field of Subject')}}}`,
  `Message-ID: <${c('Message-ID')}@example.com>`,
  `In-Reply-To: <${c('In-Reply-To')}@example.com>`,
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  `List-Id: ${c('name of List-Id')} <news.example.com>`,
  `List-Unsubscribe: <https://example.com/${c('unsubscribe path')}?${c('unsubscribe query')}>, <mailto:${c('unsubscribe')}@example.com?subject=${c('unsubscribe subject')}>`,
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  `Feedback-ID: ${c('Feedback-ID')}`,
  `X-Mailer: ${c('X-Mailer')}`,
  `User-Agent: ${c('User-Agent')}`,
  `Precedence: ${c('Precedence')}`,
  `Auto-Submitted: ${c('Auto-Submitted')}; ${c('parameter of Auto-Submitted')}`,
  `X-Campaign: ${c('X-Campaign')}`,
  `X-Priority: ${c('X-Priority')}`,
  `BIMI-Selector: v=BIMI1; s=default; ${c('BIMI-Selector')}=${c('value of BIMI-Selector')}`,
  `Content-Language: ${c('Content-Language')}`,
  `Organization: ${c('Organization')}`,
  `X-Originating-IP: [10.0.0.1] ${c('X-Originating-IP')}`,
  `X-PHP-Originating-Script: 1000:${c('script name')}.php`,
  `Received: from ${c('Received')} (10.0.0.1) for <${c('for')}@example.com>; Fri, 20 Nov 2026 10:00:00 +0000`,
  `Authentication-Results: x; spf=pass smtp.mailfrom=${c('Authentication-Results')}@example.com`,
  `DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s2; i=${c('i=')}@example.com; h=from; bh=${c('bh=')}; b=${c('b=')}; z=From:${c('z=')}`,
  `DKIM-Signature: v=1; a=${c('a=')}; c=${c('c=')}; q=${c('q=')}; d=example.com; s=s2; h=from:${c('h=')}:x-${c('h= of its own')}; ${c('tag')}=${c('tag value')}; bh=x; b=x`,
  `ARC-Seal: i=1; a=rsa-sha256; cv=none; d=relay.example; s=s; b=${c('ARC b=')}`,
  `ARC-Message-Signature: i=1; a=rsa-sha256; d=relay.example; s=s; h=from; bh=x; b=${c('AMS b=')}`,
  `ARC-Authentication-Results: i=1; relay.example; spf=pass smtp.mailfrom=${c('AAR')}@example.com; dkim=${c('AAR result')}; ${c('AAR method')}=pass`,
  `X-${c('header name')}: ${c('header value')}`,
  `MIME-Version: 1.0 (${c('MIME-Version')})`,
  `Content-Type: multipart/mixed; boundary="${c('boundary')}"; x=${c('parameter')}; protocol="application/${c('protocol')}"; micalg=${c('micalg')}`,
  '',
  c('preamble'),
  `--${STEM}`,
].join('\r\n');

const boundary = /boundary="([^"]+)"/.exec(mail)?.[1] ?? '';
const whole = [
  mail.replace(`--${STEM}`, `--${boundary}`),
  `Content-Type: text/plain; charset=${c('charset')}`,
  '',
  `${c('plain text')} https://example.com/${c('plain path')} {{${c('plain field')}}}`,
  `--${boundary}`,
  'Content-Type: text/html; charset=utf-8',
  `Content-Transfer-Encoding: ${c('encoding')}`,
  '',
  html,
  `--${boundary}`,
  `Content-Type: application/pdf; name="${c('name=')}.pdf"`,
  `Content-Disposition: attachment; filename="${c('filename=')}.${c('inner extension')}.pdf"`,
  `Content-Description: ${c('description')}`,
  `Content-ID: <${c('Content-ID')}@example.com>`,
  'Content-Transfer-Encoding: base64',
  '',
  base64(`%PDF-1.4 ${c('file')}`),
  ...[
    `application/${c('subtype')}`,
    `application/x-${c('x- subtype')}`,
    `application/vnd.${c('vnd. subtype')}+json`,
    `text/${c('text subtype')}`,
    `image/${c('image subtype')}`,
    `${c('top-level type')}/plain`,
    `multipart/${c('multipart subtype')}`,
    c('no type'),
  ].flatMap((type) => [`--${boundary}`, `Content-Type: ${type}`, '', 'x']),
  ...[
    `attachment; filename=".${c('dotfile')}"`,
    `attachment; filename="..${c('dotfile of two dots')}"`,
    `attachment; filename="/${c('folder')}/.${c('dotfile in a folder')}"`,
    `attachment; filename="${c('long extension')}.${c('extension')}"`,
    c('disposition'),
  ].flatMap((disposition) => [
    `--${boundary}`,
    'Content-Type: application/octet-stream',
    `Content-Disposition: ${disposition}`,
    `Content-Transfer-Encoding: ${c('encoding of a file')}`,
    '',
    'x',
  ]),
  `--${boundary}`,
  `Content-Type: text/html; charset="x-${c('charset of a second text')}"`,
  'Content-Disposition: inline',
  '',
  '<p>x</p>',
  `--${boundary}`,
  'Content-Type: message/rfc822',
  '',
  `From: ${c('From of an email inside')}@example.com\r\nSubject: ${c('Subject of an email inside')}\r\n\r\n${c('text of an email inside')}`,
  `--${boundary}--`,
  c('epilogue'),
  '',
].join('\r\n');

let environment: InspectionEnvironment;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
});
afterAll(() => environment.stop());

async function inspect(bytes: Uint8Array<ArrayBuffer>) {
  environment.dns.setZone(
    zoneWith({
      // Macros that would carry the sender into names, errors and explanations.
      'example.com': {
        A: ['192.0.2.80'],
        TXT: ['v=spf1 exists:%{l}._spf.%{d} include:%{l}.%{d} exp=why.example.com -all'],
      },
      'why.example.com': { TXT: ['%{s} %{l}'] },
    }),
  );
  const from = { localPart: c('envelope'), domain: 'example.com', smtputf8: false };
  return readFacts(environment.inspect({ ...about, from }), bytes);
}

const leaks = (value: unknown): string[] => {
  const text = JSON.stringify(value).toLowerCase();
  const found = text.match(new RegExp(`${STEM}q([a-j]+)q`, 'g')) ?? [];
  return [...new Set(found)].map((one) => {
    const digits = one
      .slice(STEM.length + 1, -1)
      .replace(/[a-j]/g, (l) => String('abcdefghij'.indexOf(l)));
    return places[Number(digits) - 1] ?? one;
  });
};

test('nothing of the email is in the gate, the facts or the report', async () => {
  const { gate, facts } = await inspect(toBytes(await sign(whole)));
  const report = makeReport(facts as Facts, ARRIVAL);
  expect(isReport(report)).toBe(true);
  expect(leaks(gate)).toEqual([]);
  expect(leaks(report)).toEqual([]);
  expect(leaks(facts)).toEqual([]);
});

test('and the email was nevertheless read', async () => {
  const { facts } = await inspect(toBytes(await sign(whole)));
  const { message, authentication, links } = makeReport(facts, ARRIVAL);
  expect(message).toMatchObject({
    header_from: { domain: 'example.com' },
    list_id: 'news.example.com',
    mailer: 'other',
  });
  expect(authentication.dkim).toHaveLength(3);
  expect(authentication.dkim[2]).toMatchObject({
    algorithm: 'unknown',
    canonicalization: 'unknown',
    signed_headers: ['from', 'other', 'other'],
  });
  expect(authentication.arc).toMatchObject({ sets: 1 });
  expect(links).toMatchObject({
    domains: expect.arrayContaining([expect.objectContaining({ host: 'www.example.com' })]),
  });
});

test('the canary would be found', () => {
  expect(leaks(whole).length).toBeGreaterThan(80);
  expect(leaks(html)).toContain('action');
});

test('nothing of an email that is cut in the middle is in the facts or the report', async () => {
  const signed = await sign(whole);
  for (let end = 500; end < signed.length; end += 700) {
    const { facts } = await inspect(toBytes(signed.slice(0, end)));
    expect(leaks([facts, makeReport(facts, ARRIVAL)]), `${end} bytes`).toEqual([]);
  }
});
