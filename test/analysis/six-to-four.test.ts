/** Tests how the IPv4 address is read that is embedded in a 6to4 address. */

import { expect, test } from 'vitest';
import { inside6to4 } from '../../src/analysis/addresses.ts';

test.each([
  ['2002:cb00:7219::1', '203.0.114.25'],
  ['2001:db8::1', null],
  ['32.2.0.1', null],
  ['none', null],
])('the IPv4 address inside a 6to4 address: %s', (ip, inside) => {
  expect(inside6to4(ip)).toBe(inside);
});
