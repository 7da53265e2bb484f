/** Tests which facts are gathered about the header fields of an email. */

import { expect, test } from 'vitest';
import { headersOf, mail, read } from './mails.ts';

const DAY = 'Fri, 20 Nov 2026';

test('a good email has no faults', () => {
  const { headers } = read(mail());
  expect(headers).toMatchObject({
    duplicates: [],
    eightBit: { raw: false, brokenEncodedWords: false },
    date: { state: 'ok', obsoleteZone: null, skewSeconds: 0, weekdayFault: null },
    messageId: { count: 1, syntaxOk: true, domainOdd: false, related: true },
    to: { present: true, undisclosed: false, testAddressFound: true },
    leaks: [],
    lines: { bareNewlines: false, nul: false },
    missing: [],
  });
  expect(headers.date.instant).toBe('2026-11-20T11:00:00.000Z');
});

const encoded = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

test.each([
  ['Subject', ['one', 'two']],
  ['To', ['abcdefghijkl@in.example.net', 'b@example.net']],
  ['Date', [`${DAY} 11:00:00 +0000`, `${DAY} 11:00:00 +0000`]],
  ['Message-ID', ['<a@example.com>', '<b@example.com>']],
  ['MIME-Version', ['1.0', '1.0']],
  ['Reply-To', ['a@example.com', 'a@example.com']],
])('%s that occurs twice is named', (name, values) => {
  expect(headersOf({ [name]: values }).duplicates).toEqual([name]);
});

test('a second From is listed, and judged only by its own check', () => {
  const { from, duplicates } = headersOf({ From: ['a@example.com', 'b@example.com'] });
  expect(from.count).toBe(2);
  expect(duplicates).toEqual([]);
});

test('Received and DKIM-Signature may be repeated', () => {
  const { duplicates, hops } = headersOf({
    Received: ['from a', 'from b'],
    Comments: ['x', 'y'],
  });
  expect(duplicates).toEqual([]);
  expect(hops).toBe(2);
});

test.each([
  [`${DAY} 11:00:00 +0000`, 'ok', 0, null],
  ['20 Nov 2026 11:00 +0000', 'ok', 0, null],
  [`${DAY} 12:00:00 +0100 (CET)`, 'ok', 0, null],
  [`${DAY} 11:05:01 +0000`, 'ok', 301, null],
  [`${DAY} 10:54:59 +0000`, 'ok', -301, null],
  [`${DAY} 11:00:00 GMT`, 'ok', 0, 'utc'],
  [`${DAY} 06:00:00 EST`, 'ok', 0, 'other'],
  ['Fri, 20 Nov 26 11:00:00 +0000', 'ok', 0, null],
  ['2026-11-20T11:00:00Z', 'unparsable', null, null],
  ['31 Nov 2026 11:00:00 +0000', 'unparsable', null, null],
  [`${DAY} 25:00:00 +0000`, 'unparsable', null, null],
  [`${DAY} 11:00:00`, 'unparsable', null, null],
  [`${DAY} 11:00:00 +0000 (open`, 'unparsable', null, null],
  [`${DAY} 11:00:00 CEST`, 'ok', 0, 'other'],
  [`${DAY} 11:00:00 AM`, 'unparsable', null, null],
  [`${DAY} 11:00:00 Z`, 'ok', 0, 'utc'],
  ['', 'unparsable', null, null],
])('Date: %s is %s, %j s from receipt', (value, state, skewSeconds, obsoleteZone) => {
  expect(headersOf({ Date: value }).date).toMatchObject({ state, skewSeconds, obsoleteZone });
});

test.each([
  ['Fri, 20 Nov 2026 11:00:00 +0000', null],
  ['20 Nov 2026 11:00:00 +0000', null],
  ['Sat, 21 Nov 2026 01:00:00 +1400', null],
  ['Fri, 20 Nov 26 11:00:00 +0000', null],
  ['Sat, 20 Nov 2026 11:00:00 +0000', 'wrong'],
  ['Foo, 20 Nov 2026 11:00:00 +0000', 'no_day'],
])('the day of the week of %s is %j', (value, fault) => {
  expect(headersOf({ Date: value }).date).toMatchObject({ state: 'ok', weekdayFault: fault });
});

test.each([
  [`${DAY} 9:00:00 +0000`, true],
  [`${DAY} 09:00:00 +0000`, false],
])('an hour of one digit is read, and noted: %s', (value, shortHour) => {
  expect(headersOf({ Date: value }).date).toMatchObject({ skewSeconds: -7200, shortHour });
});

test('a missing Date is distinguished from a bad one', () => {
  expect(headersOf({ Date: null }).date.state).toBe('missing');
});

test.each([
  ['<a.b@example.com>', { syntaxOk: true, domainOdd: false, related: true, domain: 'example.com' }],
  ['<a@mail.example.com>', { syntaxOk: true, related: true }],
  ['<a@other.example>', { syntaxOk: true, domainOdd: false, related: false }],
  ['<a@localhost>', { syntaxOk: true, domainOdd: true }],
  ['<a@web.local>', { syntaxOk: true, domainOdd: true }],
  ['<a@host>', { syntaxOk: true, domainOdd: true }],
  ['<a@192.0.2.1>', { syntaxOk: true, domainOdd: true }],
  ['<a@[192.0.2.1]>', { syntaxOk: true, domainOdd: false, domain: null }],
  ['<a@[IPv6:2001:db8::1]>', { syntaxOk: true, domainOdd: false, domain: null }],
  ['<a@[2001:db8::1]>', { domainOdd: true }],
  ['<a@[IPv6:192.0.2.1]>', { domainOdd: true }],
  ['<a@[web1]>', { syntaxOk: true, domainOdd: true }],
  ['a@example.com', { syntaxOk: false }],
  ['<a@b\xc3\xbccher.example>', { syntaxOk: true, domain: 'xn--bcher-kva.example' }],
  ['<a b@example.com>', { syntaxOk: false }],
  ['<a@b@example.com>', { syntaxOk: false }],
  ['<abc>', { syntaxOk: false, domain: null }],
  ['<.a@example.com>', { syntaxOk: false }],
])('Message-ID: %s', (value, facts) => {
  expect(headersOf({ 'Message-ID': value }).messageId).toMatchObject({ count: 1, ...facts });
});

test('the HELO name makes a Message-ID related, as From does', () => {
  const { messageId } = headersOf({ 'Message-ID': '<a@relay.test>' }, { helo: 'out.relay.test' });
  expect(messageId.related).toBe(true);
});

test.each([
  [{ To: null }, { present: false, undisclosed: false, testAddressFound: false }],
  [
    { To: 'undisclosed-recipients:;' },
    { present: true, undisclosed: true, testAddressFound: false },
  ],
  [{ To: 'x@example.net' }, { present: true, undisclosed: false, testAddressFound: false }],
  [{ To: 'ABCDEFGHIJKL@In.Example.Net' }, { testAddressFound: true }],
  [
    { To: null, Cc: 'abcdefghijkl@in.example.net' },
    { present: true, testAddressFound: true },
  ],
  [{ To: '"abcdefghijkl@in.example.net" <x@example.net>' }, { testAddressFound: false }],
])('recipients %j', (fields, facts) => {
  expect(headersOf(fields).to).toMatchObject(facts);
});

test.each([
  ['Your order', { state: 'ok', length: 10, edgeSpaces: false }],
  ['', { state: 'empty' }],
  ['   ', { state: 'empty' }],
  ['BUYNOWSALE', { allCapitals: true }],
  ['BUYNOWSAL', { allCapitals: false }],
  ['BUY NOW, SALe', { allCapitals: false }],
  ['Wow!!', { exclamations: 2 }],
  ['Wow!!!', { exclamations: 3 }],
  ['Re: your order', { falseReply: true }],
  ['AW: Ihre Bestellung', { falseReply: true }],
  ['WG: Ihre Bestellung', { falseReply: false, isForward: true }],
  ['See https://www.example.com/a', { url: true }],
  ['Your order at www.example.com', { url: false }],
  ['Regarding: your order', { falseReply: false }],
  [' Your order', { edgeSpaces: true }],
  ['Your order ', { edgeSpaces: true }],
  ['=?utf-8?q?Gr=C3=BC=C3=9Fe?=', { length: 5 }],
  ['=?utf-8?q?_Hello?=', { edgeSpaces: true, length: 5 }],
  ['=?utf-8?b?8J+YgA==?=', { length: 1 }],
])('Subject: %j', (value, facts) => {
  expect(headersOf({ Subject: value }).subject).toMatchObject(facts);
});

test.each([
  ['回覆：您的訂單', { falseReply: true }],
  ['회신: 주문', { falseReply: true }],
  ['رد: طلبك', { falseReply: true }],
  ['Antwort: Ihre Bestellung', { falseReply: true }],
  ['轉寄: 您的訂單', { falseReply: false, isForward: true }],
  ['İLT: Siparişiniz', { falseReply: false, isForward: true }],
  ['PD: Zamówienie', { falseReply: false, isForward: true }],
  ['Antworten auf Ihre Fragen', { falseReply: false, isForward: false }],
])('Subject with a prefix of a translated mail program: %s', (subject, facts) => {
  expect(headersOf({ Subject: encoded(subject) }).subject).toMatchObject(facts);
});

test('a reply may say Re:, and a missing subject is missing', () => {
  const answer = headersOf({ Subject: 'Re: hello', References: '<a@example.com>' });
  expect(answer.subject.falseReply).toBe(false);
  expect(headersOf({ Subject: null }).subject.state).toBe('missing');
});

test.each([
  [{ Subject: 'Gr\xfc\xdfe' }, { raw: true, brokenEncodedWords: false }],
  [
    { Subject: '=?utf-8?q?Gr=C3=BC=C3=9Fe?=' },
    { raw: false, brokenEncodedWords: false, needlessWords: [] },
  ],
  [
    { Subject: '=?utf-8?q?Hello_you?=', From: '=?utf-8?b?SGk=?= <a@example.com>' },
    { needlessWords: ['Subject', 'From'] },
  ],
  [{ Subject: '=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?=' }, { needlessWords: [] }],
  [{ Subject: '=?utf-8?b?R3I*?=' }, { needlessWords: [] }],
  [{ 'X-Note': '=?utf-8?q?Hello?=' }, { needlessWords: [] }],
  [{ Subject: '=?utf-8?q?Gr=C3=BC?= =?utf-8?q?=C3=9Fe?=' }, { brokenEncodedWords: false }],
  // Each of two words in ISO-2022-JP ends in ASCII. Where they meet, one escape sequence undoes the other.
  [
    { Subject: '=?iso-2022-jp?b?GyRCJDMbKEI=?= =?iso-2022-jp?b?GyRCJDMbKEI=?=' },
    { brokenEncodedWords: false },
  ],
  [{ Subject: '=?utf-8?b?R3I*?=' }, { brokenEncodedWords: true }],
  [{ Subject: '=?utf-8?q?=FF=FE?=' }, { brokenEncodedWords: true }],
  [{ Subject: '=?x-none?q?abc?=' }, { brokenEncodedWords: true }],
  [{ Subject: '=?utf-8?q?has space?=' }, { brokenEncodedWords: true }],
  [{ Subject: 'What is a=?b in PHP' }, { brokenEncodedWords: false }],
])('%j', (fields, eightBit) => {
  expect(headersOf(fields).eightBit).toMatchObject(eightBit);
});

test.each([
  ['support@example.com', { state: 'ok', freemail: false, sameOrganization: true }],
  ['support@help.example.com', { sameOrganization: true }],
  ['support@example.org', { sameOrganization: false }],
  ['someone@gmail.com', { state: 'ok', freemail: true, sameOrganization: false }],
  ['nobody', { state: 'unparsable' }],
  ['', { state: 'unparsable' }],
])('Reply-To: %s', (value, facts) => {
  expect(headersOf({ 'Reply-To': value }).replyTo).toMatchObject(facts);
});

test.each([
  [{ From: 'no-reply@example.com' }, { automated: true, autoSubmitted: null }],
  [
    { From: 'no-reply@example.com', 'Auto-Submitted': 'auto-generated' },
    { autoSubmitted: 'auto-generated' },
  ],
  [{}, { automated: false }],
  [{ Precedence: 'urgent' }, { precedence: 'other' }],
  [{ Precedence: 'list' }, { precedence: 'list' }],
])('%j: %j', (fields, facts) => {
  expect(headersOf(fields).bulk).toMatchObject(facts);
});

test.each([
  ['News <news.example.com>', 'news.example.com'],
  ['<news.example.com>', 'news.example.com'],
  ['My private list', null],
  ['<some.thing.nowhere>', null],
])('List-Id: %s is shown as %j', (value, listId) => {
  expect(headersOf({ 'List-Id': value }).bulk.listId).toBe(listId);
});

test.each([
  [{ 'X-PHP-Originating-Script': '33:mail.php' }, ['X-PHP-Originating-Script']],
  [{ Received: 'from pc (10.1.2.3) by mx.example.com' }, ['Received']],
  [{ Received: 'from pc (192.168.0.7) by mx.example.com' }, ['Received']],
  [{ Received: 'from web.internal (192.0.2.7) by mx.example.com' }, ['Received']],
  [{ Received: 'from out.example.com (110.1.2.3) by mx.example.com' }, []],
  [{ Received: 'from out.example.com (192.0.2.7) by mx.example.com' }, []],
])('%j leaks through %j', (fields, leaks) => {
  expect(headersOf(fields).leaks).toEqual(leaks);
});

const H = '<https://example.com/u/7>';
const M = '<mailto:u@example.com?subject=x>';

test.each([
  [H, [], true, false],
  [M, [], false, true],
  [`${H}, ${M}`, [], true, true],
  [`${M} , (by mail) ${H}`, [], true, true],
  [`${H} ${M}`, ['separator'], true, true],
  [`${H}; ${M}`, ['separator'], true, true],
  ['https://example.com/u', ['no_brackets'], false, false],
  ['<https://example.com/u v>', ['space'], true, false],
  ['<u@example.com>, <https://example.com/u>', ['no_scheme'], true, false],
  ['</u/1>', ['no_scheme'], false, false],
  ['<http://example.com/u>', ['http'], false, false],
  [`<http://example.com/u>, ${H}`, [], true, false],
  [`${H}, <https://example.com/v>`, ['several'], true, false],
  ['<https://example.com/{{token}}>', ['placeholder'], false, false],
  ['<%%unsubscribe_url%%>', ['placeholder'], false, false],
  ['', ['no_brackets'], false, false],
])('List-Unsubscribe: %s', (value, faults, https, mailto) => {
  expect(headersOf({ 'List-Unsubscribe': value }).listUnsubscribe).toMatchObject({
    present: true,
    faults,
    https,
    mailto,
    post: false,
    postFault: null,
  });
});

test.each([
  ['List-Unsubscribe=One-Click', true, null],
  ['list-unsubscribe = one-click', true, null],
  ['One-Click', false, 'value'],
  ['', false, 'value'],
  [null, false, null],
  [['List-Unsubscribe=One-Click', 'List-Unsubscribe=One-Click'], false, 'repeated'],
  [['List-Unsubscribe=One-Click', 'yes'], false, 'repeated'],
])('List-Unsubscribe-Post: %s', (value, post, postFault) => {
  const { listUnsubscribe } = headersOf({
    'List-Unsubscribe': H,
    'List-Unsubscribe-Post': value,
  });
  expect(listUnsubscribe).toMatchObject({ post, postFault, host: 'example.com' });
});

test.each([78, 79])('a header line of %i bytes', (bytes) => {
  expect(headersOf({ 'X-Long': 'a'.repeat(bytes - 8) }).lines.longestHeaderBytes).toBe(bytes);
});

test('the part with the longest line is named', () => {
  const inText = read(mail({}, `short\r\n${'x'.repeat(999)}\r\n`)).headers.lines;
  expect(inText).toMatchObject({ longestBytes: 999, longestIn: 'text/plain' });
  const inHeader = read(mail({ 'X-Long': 'a'.repeat(2000) }, 'short')).headers.lines;
  expect(inHeader).toMatchObject({ longestBytes: 2008, longestIn: 'message header' });
});

test.each([
  ['PHPMailer 6.9', 'PHPMailer'],
  ['PHPMailer 6.9.1 (https://github.com/PHPMailer/PHPMailer)', 'PHPMailer'],
  ['phpmailer', 'PHPMailer'],
  ['Microsoft Outlook 16.0', 'Microsoft Outlook'],
  ['Microsoft Outlook Express 6.00.2900.5931', 'Microsoft Outlook Express'],
  ['Apple Mail (2.3774.600.62)', 'Apple Mail'],
  ['MIME::Lite 3.030', 'MIME-Lite'],
  ['nodemailer (6.9.1; +https://nodemailer.com/;)', 'Nodemailer'],
  ['PHPMailersecret', 'other'],
  ['secret PHPMailer', 'other'],
  ['secret', 'other'],
  ['', 'other'],
])('X-Mailer: %s is shown as %j', (value, mailer) => {
  expect(headersOf({ 'X-Mailer': value }).mailer).toBe(mailer);
});

test('User-Agent is used if there is no X-Mailer, and an email with neither has no mailer', () => {
  expect(headersOf({ 'User-Agent': 'Mozilla Thunderbird' }).mailer).toBe('Mozilla Thunderbird');
  expect(headersOf({ 'User-Agent': 'secret' }).mailer).toBe('other');
  expect(headersOf({}).mailer).toBeNull();
});
