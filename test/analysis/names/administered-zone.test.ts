/** Tests which DNS zone a name is administered in, as far as its name tells. */

import { expect, test } from 'vitest';
import { administeredZone } from '../../../src/analysis/names/domain-names.ts';

test.each([
  ['s1._domainkey.shop.example.co.uk', 'example.co.uk'],
  ['a.b.eu.org', 'b.eu.org'],
  ['25.2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  [`${'1.0.0.0.'.repeat(5)}3.c.7.0.8.b.d.0.1.0.0.2.ip6.arpa`, '3.c.7.0.8.b.d.0.1.0.0.2.ip6.arpa'],
])('%s is in %s', (name, zone) => {
  expect(administeredZone(name)).toBe(zone);
});
