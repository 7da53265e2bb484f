/** Tests whether the domains of DMARC report addresses can receive reports. */

import { expect, test } from 'vitest';
import { lookUpDmarc, lookUpRua } from '../../src/inspection/dmarc.ts';
import type { Zone } from '../environment/dns-zone.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';

const zone: Zone = {
  'mx.example.com': { MX: ['10 mail.example.com'] },
  'null.example.com': { MX: ['0 .'], A: ['192.0.2.1'] },
  'a.example.com': { A: ['192.0.2.1'] },
  'aaaa.example.com': { AAAA: ['2001:db8::1'] },
  'nothing.example.com': { TXT: ['no address'] },
  'silent.example.com': 'SERVFAIL',
};

// The address replaces a missing MX (RFC 5321 §5.1), but a null MX says no (RFC 7505).
test.each([
  ['mx', true],
  ['null', false],
  ['a', true],
  ['aaaa', true],
  ['nothing', false],
  ['absent', false],
  ['silent', null],
])('a report address at %s.example.com receives email: %s', async (label, has_mx) => {
  const uri = `mailto:dmarc@${label}.example.com`;
  const record = { TXT: [`v=DMARC1; p=none; rua=${uri}`] };
  const resolver = resolverOf(askZone({ ...zone, '_dmarc.example.com': record }));
  const answers = await lookUpDmarc(resolver, ['example.com']);
  const { rua } = await lookUpRua(resolver, 'example.com', answers);
  expect(rua).toEqual([{ uri, external: false, authorized: null, has_mx }]);
});

test.each([
  ['v=DMARC1; p=none', 'news.mx.example.com', false],
  ['v=DMARC1; p=none', 'news.a.example.com', true],
  ['v=DMARC1; p=none', 'news.null.example.com', true],
  ['v=DMARC1; p=none', 'news.silent.example.com', false],
  // The answer would change nothing, so nobody is asked.
  ['v=DMARC1; p=none; rua=mailto:d@mx.example.com', 'news.a.example.com', undefined],
  ['v=DMARC1; p=none', 'a.example.com', undefined],
])('%s applies to %s: its domain has no mail host: %s', async (record, from, expected) => {
  const [, name] = from.match(/((?:mx|a|null|silent)\.example\.com)$/) ?? [];
  const resolver = resolverOf(askZone({ ...zone, [`_dmarc.${name}`]: { TXT: [record] } }));
  const { hasNoMailHost } = await lookUpRua(resolver, from, await lookUpDmarc(resolver, [from]));
  expect(hasNoMailHost).toBe(expected);
});
