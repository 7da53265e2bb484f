/** Tests the name under which the PTR record of an IP address is. */

import { expect, test } from 'vitest';
import { reverseName } from '../../../src/analysis/names/host-name.ts';

test.each([
  ['192.0.2.25', '25.2.0.192.in-addr.arpa'],
  ['::ffff:192.0.2.25', '25.2.0.192.in-addr.arpa'],
  [
    '2001:db8::567:89ab',
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  ],
  ['mail.example.com', null],
])('the reverse name of %s', (ip, name) => {
  expect(reverseName(ip)).toBe(name);
});
