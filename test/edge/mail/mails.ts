/** Lists emails that were made to break their reader. */

import { zip } from '../../analysis/mime/zip.ts';
import {
  arcSet,
  charset,
  everyHash,
  fill,
  HREFS,
  html,
  MIB,
  mail,
  nested,
  signature,
  times,
  zipBomb,
} from './build.ts';

/**
 * Emails made to break their reader, by name. They are built on demand.
 * @param large size of emails that should be as large as possible, in bytes
 * @param text size of texts that are read word by word, in bytes
 */
export const hostileMails = (
  large = 20 * MIB,
  text = 2 * MIB,
): Readonly<Record<string, () => Buffer>> => ({
  'no byte': () => Buffer.alloc(0),
  'one line end': () => Buffer.from('\r\n'),
  'nothing but NULs, 1 MiB': () => Buffer.alloc(MIB),
  'every byte value, 1 MiB': () => Buffer.alloc(MIB, Uint8Array.from(Array(256).keys())),
  '10,000 header fields': () =>
    mail(Object.fromEntries(times(10_000, (n) => `X-${n}`).map((name) => [name, 'x'])), 'x'),
  'a header without end': () => Buffer.from(fill('X-Field: value\r\n', large)),
  'one field without end': () => Buffer.from(`Subject: ${'x'.repeat(large)}\r\n\r\n`),
  'one field of 64 KiB folded at every byte': () => mail({ Subject: fill('x\r\n ', 64_000) }, 'x'),
  '2,000 signatures': () => mail({ 'DKIM-Signature': times(2000, (n) => signature('', n)) }, 'x'),
  'a signature with 5,000 names in h=': () =>
    mail({ 'DKIM-Signature': signature(`; h=${fill('from:', 25_000)}`) }, 'x'),
  'a signature of 60,000 tags': () => mail({ 'DKIM-Signature': fill('a=b;', 60_000) }, 'x'),
  'four signatures of white space and a raw letter': () =>
    mail({ 'DKIM-Signature': times(4, () => `v=1; a=\xe9;${'\t'.repeat(60_000)}==`) }, 'x'),
  'four signatures of white space': () =>
    mail(
      { 'DKIM-Signature': times(4, (n) => `${signature('', n)}${' '.repeat(60_000)}AAAA`) },
      'x',
    ),
  'an ARC chain of white space': () =>
    Buffer.concat([
      Buffer.from(`${arcSet(1).replaceAll('b=', `b=${' '.repeat(60_000)}`)}\r\n`),
      mail({}, 'x'),
    ]),
  'a signature over 200 equal fields': () =>
    mail(
      { 'DKIM-Signature': signature(`; h=${fill('x-a:', 4000)}`), 'X-A': times(200, String) },
      'x',
    ),
  '10 signatures of 4,000 names over 800 fields': () =>
    mail(
      {
        'DKIM-Signature': times(10, (n) => signature(`; h=${fill('x-a:x-b:', 16_000)}`, n)),
        'X-A': times(400, String),
        'X-B': times(400, String),
      },
      'x',
    ),
  '60 ARC sets': () =>
    Buffer.concat([
      Buffer.from(`${times(60, (n) => arcSet(60 - n)).join('\r\n')}\r\n`),
      mail({}, 'x'),
    ]),
  '50 ARC sets': () =>
    Buffer.concat([
      Buffer.from(`${times(50, (n) => arcSet(50 - n)).join('\r\n')}\r\n`),
      mail({}, 'x'),
    ]),
  '300 ARC seals and nothing more': () =>
    mail({ 'ARC-Seal': times(300, (n) => `i=${n}; cv=pass`) }, 'x'),
  'multipart 64 deep': () => nested(64),
  'multipart 1,000 deep': () => nested(1000),
  '100,000 parts': () =>
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, fill('--b\r\n\r\nx\r\n', 1_100_000)),
  'a boundary of 60 KB': () =>
    mail({ 'Content-Type': `multipart/mixed; boundary="${'b'.repeat(60_000)}"` }, 'x'),
  'a delimiter at every byte': () =>
    mail({ 'Content-Type': 'multipart/mixed; boundary="-"' }, fill('---\r\n', 5 * MIB)),
  'message in message, 500 deep': () =>
    mail(
      { 'Content-Type': 'message/rfc822' },
      fill('Content-Type: message/rfc822\r\n\r\n', 15_500),
    ),
  'a line without end': () => mail({}, 'x'.repeat(large)),
  'a line without end, unsigned': () => mail({ 'DKIM-Signature': [] }, 'x'.repeat(large)),
  'lines of 1 MiB, relaxed': () => mail({}, fill(`${'x '.repeat(MIB / 2 - 1)}\r\n`, large)),
  'lines of spaces, relaxed': () => mail({}, fill(`${' '.repeat(MIB - 2)}\r\n`, large)),
  'lines of a byte, relaxed': () => mail({}, fill('x\r\n', large)),
  'blank lines, relaxed': () => mail({}, fill('\r\n', large)),
  'every way to hash': () => everyHash(fill(`${'x '.repeat(MIB / 2 - 1)}\r\n`, large)),
  'every way to hash blank lines': () => everyHash(fill('\r\n', large)),
  'From with 40,000 addresses': () => mail({ From: fill('a@example.com, ', 600_000) }, 'x'),
  'From with 60 KB of addresses': () => mail({ From: fill('a@b,', 60_000) }, 'x'),
  'From with 60 KB of comments': () =>
    mail({ From: `${'('.repeat(30_000)}${')'.repeat(30_000)} a@example.com` }, 'x'),
  'From with 60 KB of quotes': () => mail({ From: fill('"\\', 60_000) }, 'x'),
  'From with 60 KB of angles': () => mail({ From: fill('<', 60_000) }, 'x'),
  'From with 60 KB of groups': () => mail({ From: fill('a:;', 60_000) }, 'x'),
  'Return-Path with 60 KB of addresses': () => mail({ 'Return-Path': fill('<a@b>,', 60_000) }, 'x'),
  '4,000 To addresses': () => mail({ To: fill('a@example.com, ', 60_000) }, 'x'),
  'To with 60 KB of angles': () => mail({ To: fill('<', 60_000) }, 'x'),
  'To with 60 KB of comments': () => mail({ To: fill('(', 60_000) }, 'x'),
  'To with 60 KB of quotes': () => mail({ To: fill('"\\"', 60_000) }, 'x'),
  'Reply-To with 60 KB of dots': () => mail({ 'Reply-To': fill('a.', 60_000) }, 'x'),
  '60 KB of false encoded-words': () => mail({ Subject: fill('=?a?b?', 60_000) }, 'x'),
  '60 KB of encoded-words without end': () => mail({ Subject: fill('=?', 60_000) }, 'x'),
  'a Date of 60 KB': () => mail({ Date: fill('Fri, 20 ', 60_000) }, 'x'),
  'a Message-ID of 60 KB': () => mail({ 'Message-ID': `<${fill('a.', 60_000)}@b>` }, 'x'),
  'a List-Unsubscribe of brackets': () => mail({ 'List-Unsubscribe': fill('<', 60_000) }, 'x'),
  'a Received of digits': () => mail({ Received: fill('10.', 60_000) }, 'x'),
  '50 Received of brackets': () =>
    mail({ Received: times(50, () => `from ${fill('[', 3900)}; x`) }, 'x'),
  'a part header without end': () =>
    mail(
      { 'Content-Type': 'multipart/mixed; boundary=b' },
      `--b\r\n${fill('X-Field: value\r\n', large)}`,
    ),
  'false delimiters': () =>
    mail({ 'Content-Type': 'multipart/mixed; boundary=b' }, fill('--c\r\n', large)),
  '60 KB of parameters': () =>
    mail({ 'Content-Type': `text/plain;${fill(' a*0*=x;', 60_000)}` }, 'x'),
  '60 KB of encoded-words': () => mail({ Subject: fill('=?utf-8?b?AAAA?= ', 60_000) }, 'x'),
  'NULs, bare CR and bare LF': () => mail({ Subject: 'a\0b' }, 'a\rb\nc\0d\r\r\n\n'),
  'a header of bare LF': () => Buffer.from('From: a@example.com\nSubject: x\n\nbody\n'),
  'a header of bare CR': () => Buffer.from('From: a@example.com\rSubject: x\r\rbody\r'),
  'a forged provider block': () =>
    Buffer.concat([
      Buffer.from(
        'Received: from evil.example (192.0.2.1) by cloudflare-email.net\r\nAuthentication-Results: mx.cloudflare.net; dkim=pass header.d=example.com; dmarc=pass\r\nARC-Seal: i=1; a=rsa-sha256; s=2022; d=cloudflare-email.net; cv=none; b=AAAA\r\n',
      ),
      mail({}, 'x'),
    ]),
  'direction overrides': () =>
    mail({ Subject: Buffer.from('\u202e\u2066gnp.exe').toString('latin1') }, 'x'),
  'UTF-7': () => charset('utf-7', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
  'ISO-2022-JP': () => charset('iso-2022-jp', '\x1b$B<script>\x1b(B\x1b$'),
  'UTF-16': () => charset('utf-16', Buffer.from('\ufeff<p>\ud800', 'utf16le')),
  'half a UTF-8 character, over and over': () => charset('utf-8', fill('\xf0\x9f\x98', MIB)),
  'a charset of 60 KB': () => charset('x'.repeat(60_000), 'x'),
  'a ZIP bomb': zipBomb,
  'a ZIP directory that points behind its end': () =>
    mail(
      { 'Content-Type': 'application/zip' },
      `PK\x03\x04${'x'.repeat(60)}PK\x05\x06${'\xff'.repeat(18)}`,
    ),
  'hostile hrefs': () =>
    html(HREFS.map((href) => `<a href="${Buffer.from(href).toString('latin1')}">x</a>`).join('')),
  'names of prototypes': () =>
    mail(
      {
        __proto__x: 'x',
        constructor: 'x',
        toString: 'x',
        hasOwnProperty: 'x',
        'Content-Type': 'text/html; __proto__=x; constructor=y; charset=__proto__',
        'DKIM-Signature': '__proto__=x; constructor=y; d=__proto__; s=constructor; v=1',
        'ARC-Seal': 'i=__proto__; constructor=x',
      },
      '<__proto__ constructor="x"><a href="https://__proto__/">x</a><a href="https://constructor/">x</a>',
    ),
  'HTML 2 MiB deep': () => html(fill('<div>', 2 * MIB)),
  'HTML of tables in tables': () => html(fill('<table><tr><td>', text)),
  'HTML of formatting crosswise': () =>
    html(fill('<b><i><a href=x><u>', text) + fill('</b></u>', 100_000)),
  'HTML of selects and templates': () => html(fill('<select><template><svg><math>', text)),
  'HTML of one attribute of 10 MiB': () =>
    html(`<a href="https://example.com/${'x'.repeat(10 * MIB)}">`),
  'HTML of 300,000 attributes': () => html(`<a ${times(300_000, (n) => `a${n}`).join(' ')}>`),
  'HTML of entities': () => html(fill('&amp&#x110000;&notanentity;', text)),
  'HTML of 100,000 links': () => html(fill('<a href="https://a.example/">x</a>', 1.5 * text)),
  'HTML of styles': () => html(fill('<p style="color:red;;;background:url((">x</p>', text)),
  'HTML of comments that never close': () => html(fill('<!-- --!> <!--', text)),
  'HTML of end tags below a deep cell': () =>
    html(`<div><table><tr><td>${'<b>'.repeat(240)}${fill('</div>', text)}`),
  'HTML of angle brackets': () => html(fill('<', text)),
  'HTML of style urls without end': () =>
    html(fill(`<p style="${'background:url('.repeat(20)}">x</p>`, text)),
  'HTML of one link of 2 MiB': () => html(`<a href="https://${'a'.repeat(2 * MIB)}">x</a>`),
  'base64 of rubbish': () =>
    mail({ 'Content-Transfer-Encoding': 'base64' }, fill('=*?\r\n', large)),
  'quoted-printable of soft breaks': () =>
    mail({ 'Content-Transfer-Encoding': 'quoted-printable' }, fill('=\r\n', large)),
  'words without end': () =>
    mail({}, fill('word ', 80).concat('\r\n').repeat(260_000).slice(0, large)),
  'phrases over and over': () => mail({}, fill('no risky', text)),
  'a fraud with one word of 2 MiB': () =>
    mail({}, `Your parcel is waiting: pay the customs fee of 2.99 now. ${fill(':', 2 * MIB)}`),
  '2 MiB of URLs': () => mail({}, fill('https://', 2 * MIB)),
  'a ZIP directory of 60,000 entries': () =>
    Buffer.concat([
      mail({ 'Content-Type': 'application/zip' }, ''),
      zip(Array(60_000).fill({ name: 'a.txt' })),
    ]),
  '2 MiB of placeholders that never close': () => mail({}, fill('{{ %%a [[ ${ ', 2 * MIB)),
});

/** A signed email with a bit of everything, to be cut at every byte. */
export const wholeMail: Buffer = mail(
  {
    'DKIM-Signature': signature(),
    'ARC-Seal': 'i=1; a=rsa-sha256; cv=none; d=a.example; s=s; b=AAAA',
    'List-Unsubscribe': '<https://example.com/u>',
    'Content-Type': 'multipart/mixed; boundary="b"',
  },
  [
    '--b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p style=3D"color:red">Gr=C3=BC=C3=9Fe <a href=3D"https://example.com/x">x</a>',
    '--b',
    "Content-Type: application/zip; name*=utf-8''a%2Ezip",
    'Content-Transfer-Encoding: base64',
    '',
    'UEsDBAAAAAAAAAAA',
    '--b--',
  ].join('\r\n'),
);
