/**
 * Tests the reading of the From field: its domain, several authors, malformed addresses, display
 * names, freemail and no-reply addresses.
 */

import { expect, test } from 'vitest';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { headersOf, mail } from '../mail/mails.ts';

const fromOf = (...values: readonly string[]) => scanHeaders(mail({ From: values })).headerFrom;

test.each([
  ['user@example.com', 'example.com'],
  ['<user@example.com>', 'example.com'],
  ['Name <user@EXAMPLE.com>', 'example.com'],
  ['"Last, First" <user@example.com>', 'example.com'],
  ['user@example.com (a comment)', 'example.com'],
  ['(one (two) three) user@example.com', 'example.com'],
  ['"a@evil.example" <user@example.com>', 'example.com'],
  ['a@evil.example <user@example.com>', 'example.com'],
  ['"user@evil.example>"@example.com', 'example.com'],
  ['"quoted local"@example.com', 'example.com'],
  ['Name <@relay.example,@b.example:user@example.com>', 'example.com'],
  ['user @ example . com', 'example.com'],
  ['Team: user@example.com;', 'example.com'],
  ['=?utf-8?q?evil=40evil.example?= <user@example.com>', 'example.com'],
  ['Name <user@sub_domain.example.com>', 'sub_domain.example.com'],
  ['user@example.com.', 'example.com'],
  ['user@\xc3\xbc.example', 'xn--tda.example'],
  ['user@localhost', 'localhost'],
  ['Name\r\n <user@example.com>', 'example.com'],
])('From: %s belongs to %s', (value, domain) => {
  expect(fromOf(value)).toMatchObject({ domain, addresses: 1, fault: null });
});

test.each([
  ['', 'no_address'],
  ['undisclosed:;', 'no_address'],
  ['just words', 'unparsable'],
  ['<>', 'unparsable'],
  ['@example.com', 'unparsable'],
  ['user@', 'unparsable'],
  ['user@[192.0.2.1]', 'unparsable'],
  ['user@exa mple.com', 'unparsable'],
  ['two words@example.com', 'unparsable'],
  ['user@example..com', 'unparsable'],
  ['user@-example.com', 'unparsable'],
  ['user@example.com>', 'unparsable'],
  ['Name <user@example.com', 'unparsable'],
  ['<a@example.com> <b@example.com>', 'unparsable'],
  ['"open <user@example.com>', 'unparsable'],
  ['(open user@example.com', 'unparsable'],
  ['user@example.com\0.evil.example', 'unparsable'],
  ['=?utf-8?q?user=40example.com?=', 'unparsable'],
  ['a@example.com, nobody', 'unparsable'],
  [`${'a'.repeat(64)}@${'b'.repeat(64)}.example`, 'unparsable'],
])('From: %j is unusable: %s', (value, fault) => {
  expect(fromOf(value)).toMatchObject({ domain: null, fault });
});

test.each([
  ['user@example.com.', ['dot_at_end']],
  ['Name <user@example.com.>', ['dot_at_end']],
  ['Name <@relay:user@example.com>', ['route']],
  ['<@relay.example,@b.example:user@example.com.>', ['route', 'dot_at_end']],
  ['Team: user@example.com;', ['group']],
  ['"Team: us" <user@example.com>', []],
  ['user@example.com', []],
])('From: %s is valid but odd: %j', (value, oddities) => {
  expect(headersOf({ From: value }).from).toMatchObject({ fault: null, oddities });
});

test('an email without From, and one with two', () => {
  expect(scanHeaders(mail({ From: null })).headerFrom.fault).toBe('missing');
  expect(fromOf('a@example.com', 'a@example.com').fault).toBe('several_fields');
});

test('several authors need a Sender', () => {
  const two = 'a@example.com, b@example.com';
  expect(fromOf(two)).toMatchObject({ fault: 'several_authors', addresses: 2 });
  const answered = scanHeaders(mail({ From: two, Sender: 'a@example.com' })).headerFrom;
  expect(answered).toMatchObject({ fault: null, domain: 'example.com' });
  const { oddities } = headersOf({ From: two, Sender: 'a@example.com' }).from;
  expect(oddities).toEqual(['authors']);
  expect(headersOf({ From: two }).from.oddities).toEqual([]);
});

test('authors at several domains have no domain in common', () => {
  const mixed = mail({ From: 'a@example.com, b@example.org', Sender: 'a@example.com' });
  expect(scanHeaders(mixed).headerFrom).toMatchObject({
    domain: null,
    domains: ['example.com', 'example.org'],
  });
});

test.each([
  [100, null],
  [101, 'too_many_addresses'],
])('%i addresses', (n, fault) => {
  const value = Array.from({ length: n }, (_, i) => `a${i}@example.com`).join(', ');
  expect(scanHeaders(mail({ From: value, Sender: 'a@example.com' })).headerFrom.fault).toBe(fault);
});

test.each([
  [16 * 1024, null],
  [16 * 1024 + 1, 'too_large'],
])('a From of %i bytes', (bytes, fault) => {
  const address = ' <a@example.com>';
  expect(fromOf(`${'n'.repeat(bytes - address.length)}${address}`).fault).toBe(fault);
});

test.each([
  ['user@example.com (real: other@evil.example)', ['comment_address']],
  ['J\xfcrgen <user@example.com>', ['raw_8bit']],
  ['user@localhost', ['no_dot']],
  ['user@example.com (only a comment)', []],
])('From: %s has the oddities %j', (value, oddities) => {
  expect(headersOf({ From: value }).from.oddities).toEqual(oddities);
});

test('with SMTPUTF8, raw text is not odd', () => {
  const { from } = headersOf({ From: 'J\xc3\xbcrgen <user@example.com>' }, { smtputf8: true });
  expect(from.oddities).toEqual([]);
});

test.each([
  ['Example Shop <a@example.com>', []],
  ['example.com <a@example.com>', []],
  ['PayPal.com <a@example.com>', ['domain']],
  ['"service@paypal.com" <a@example.com>', ['address']],
  ['=?utf-8?b?cGF5cGFsLmNvbQ==?= <a@example.com>', ['domain']],
  ['=?utf-8?b?4oCuYWJj?= <a@example.com>', ['direction_override']],
  ['=?utf-8?b?YeKAi2I=?= <a@example.com>', ['zero_width']],
  ['Version 2.0 <a@example.com>', []],
])('the display name of %s: %j', (value, faults) => {
  expect(headersOf({ From: value }).from.displayName).toMatchObject({ present: true, faults });
});

test.each([['a@example.com'], ['"A@example.com" <a@example.com>']])('%s has no name', (value) => {
  const { displayName } = headersOf({ From: value }).from;
  expect(displayName).toMatchObject({ present: false, faults: [] });
});

test.each([
  ['a@gmail.com', true],
  ['a@googlemail.com', true],
  ['a@mail.example.com', false],
  ['a@notgmail.com', false],
])('%s is freemail: %s', (value, freemail) => {
  expect(headersOf({ From: value }).from.freemail).toBe(freemail);
});

test.each([
  ['no-reply@example.com', true],
  ['noreply+7@example.com', true],
  ['do-not-reply@example.com', true],
  ['DoNotReply@example.com', true],
  ['reply@example.com', false],
  ['north@example.com', false],
])('%s accepts no replies: %s', (value, noReply) => {
  expect(headersOf({ From: value }).from.noReply).toBe(noReply);
});

test.each([
  ['example.com', 'ascii'],
  ['xn--mnchen-3ya.example', 'single_script'],
  ['xn--80ak6aa92e.com', 'suspicious'],
  ['xn--pypal-4ve.com', 'suspicious'],
  ['xn--wgv71a119e.jp', 'single_script'],
  ['xn--80aswg.example', 'single_script'],
  ['xn--999999999.example', 'suspicious'],
])('%s is %s', (domain, idn) => {
  expect(headersOf({ From: `a@${domain}` }).from.idn).toBe(idn);
});
