import { expect, test } from 'vitest';
import { isAllowed } from '../../../src/adapters/web/address-guard.ts';

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['192.0.2.1', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::808:808', false],
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
  expect(isAllowed(address, false)).toBe(allowed);
});

test('examples are allowed only where connections go elsewhere', () => {
  for (const address of ['192.0.2.1', '2001:db8::1', '3fff::1'])
    expect(isAllowed(address, true)).toBe(true);
});
