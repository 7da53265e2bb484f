/** Tests which IP addresses are safe to connect to. */

import { expect, test } from 'vitest';
import { createAddressGuard } from '../../../src/adapters/web/address-guard.ts';

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['192.168.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['224.0.0.1', false],
  ['192.0.2.1', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::808:808', true],
  ['64:ff9b::a00:1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b::c000:201', false],
  ['64:ff9b:1::808:808', false],
  ['2001::1', false],
  ['2001:20::1', false],
  ['2002:808:808::1', false],
  ['2001:db8::1', false],
  ['3fff::1', false],
  ['4000::1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['not an address', false],
])('a connection to %s is allowed: %s', (address, allowed) => {
  expect(createAddressGuard()(address)).toBe(allowed);
});

test('example addresses are allowed only if connections go elsewhere', () => {
  for (const address of ['192.0.2.1', '2001:db8::1', '3fff::1'])
    expect(createAddressGuard([], true)(address)).toBe(true);
  expect(createAddressGuard([], true)('10.0.0.1')).toBe(false);
});

test.each([
  ['2a00:64::/32', '2a00:64:808:808::', '2a00:64:a00:1::'],
  ['2a00:64::/40', '2a00:64:8:808:8::', '2a00:64:a:0:1::'],
  ['2a00:64:1::/48', '2a00:64:1:808:8:800::', '2a00:64:1:a00:0:100::'],
  ['2a00:64:1::/56', '2a00:64:1:8:8:808::', '2a00:64:1:a:0:1::'],
  ['2a00:64:1:2::/64', '2a00:64:1:2:8:808:800::', '2a00:64:1:2:a:0:100::'],
  ['2a00:64:1::/96', '2a00:64:1::808:808', '2a00:64:1::10.0.0.1'],
  ['64:ff9b:1::/48', '64:ff9b:1:808:8:800::', '64:ff9b:1:7f00:0:100::'],
  ['fd00:64::/96', 'fd00:64::808:808', 'fd00:64::192.168.1.1'],
])('with a NAT64 at %s, %s is allowed and %s is not', (prefix, open, inside) => {
  const isAllowed = createAddressGuard([prefix]);
  expect([isAllowed(open), isAllowed(inside)]).toEqual([true, false]);
});
