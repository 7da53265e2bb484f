/** Tests how the SMTP server parses addresses and address ranges. */

import { describe, expect, test } from 'vitest';
import { clientAddress, inRanges, toMailbox } from '../../../src/adapters/smtp/addresses.ts';

/** Short enough in Unicode, but too long in the form that the DNS uses. */
const TOO_LONG = `${'\u00fc\u4e2d'.repeat(8)}.`.repeat(9).concat('example');

test.each([
  ['Local.Part@Example.NET', { localPart: 'Local.Part', domain: 'example.net' }],
  ['a@b\u00fccher.example', { localPart: 'a', domain: 'xn--bcher-kva.example' }],
  ['a@1.2.3', { localPart: 'a', domain: '1.2.3' }],
  ['a@[192.0.2.1]', { localPart: 'a', domain: '[192.0.2.1]' }],
  ['postmaster', { localPart: 'postmaster', domain: '' }],
  ['', { localPart: '', domain: '' }],
  ['a@my_domain.example', { localPart: 'a', domain: 'my_domain.example' }],
  ['user.@example.net', { localPart: 'user.', domain: 'example.net' }],
  ['a@[IPv6:2001:db8::1]', { localPart: 'a', domain: '[ipv6:2001:db8::1]' }],
  ['a@[2001:db8::1]', undefined],
  ['a@[IPv6:fe80::1%eth0]', undefined],
  ['a@[x]', undefined],
  ['a@example.net.', undefined],
  ['a@.example.net', undefined],
  ['a@-x.example', undefined],
  ['a@x-.example', undefined],
  ['a@a..b', undefined],
  ['a@a b', undefined],
  [`a@${'x'.repeat(64)}.example`, undefined],
  [`${'x'.repeat(240)}@b.example`, { localPart: 'x'.repeat(240), domain: 'b.example' }],
  [`${'x'.repeat(250)}@b.example`, undefined],
  ['a@\u0080.example', undefined],
  [`a@${TOO_LONG}`, undefined],
])('%s is %o', (address, mailbox) => {
  expect(toMailbox(address)).toEqual(mailbox);
});

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['nonsense', null],
  ['', null],
])('the address %s is %s', (ip, canonical) => {
  expect(clientAddress(ip)).toBe(canonical);
});

describe('ranges', () => {
  const isInside = inRanges(['192.0.2.0/24', '2001:db8::/32']);
  test.each([
    ['192.0.2.0', true],
    ['192.0.2.255', true],
    ['::ffff:192.0.2.7', true],
    ['192.0.3.0', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', false],
    ['', false],
  ])('%s is within: %s', (ip, expected) => {
    expect(isInside(ip)).toBe(expected);
  });
  test('no range contains nothing', () => {
    expect(inRanges([])('127.0.0.1')).toBe(false);
  });
});
