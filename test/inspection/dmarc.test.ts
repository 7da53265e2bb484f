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
  const rua = await lookUpRua(resolver, 'example.com', answers);
  expect(rua).toEqual([{ uri, external: false, authorized: null, has_mx }]);
});
