/** Tests which term of an SPF record is named as the one that decided the result. */

import { expect, test } from 'vitest';
import type { Zone } from '../environment/dns-zone.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';
import { evaluateSpf } from '../support/mail/evaluate-spf.ts';

const IP = '192.0.2.25';
const identity = { ip: IP, helo: 'mail.example.com', localPart: 'news', domain: 'example.com' };

const around: Zone = {
  'good.example': { TXT: [`v=spf1 ip4:${IP} -all`] },
  'other.example': { TXT: ['v=spf1 ip4:203.0.113.1 -all'] },
  'nested.example': { TXT: ['v=spf1 include:good.example -all'] },
  'mx.example': { MX: ['10 mail.example.com'] },
  'mail.example.com': { A: [IP] },
  '25.2.0.192.in-addr.arpa': { PTR: ['mail.example.com'] },
  'news.192.0.2.25.example.com': { A: ['127.0.0.2'] },
  'broken.example': 'SERVFAIL',
};

async function match(record: string) {
  const zone = askZone({ ...around, 'example.com': { TXT: [record] } });
  const { result, matchedTerm } = await evaluateSpf(identity, resolverOf(zone));
  return { result, term: matchedTerm };
}

test.each([
  [`v=spf1 ip4:${IP} -all`, 'pass', `ip4:${IP}`],
  ['v=spf1 ip4:203.0.113.1 IP4:192.0.2.0/24 -all', 'pass', 'IP4:192.0.2.0/24'],
  ['v=spf1 include:other.example include:nested.example ~all', 'pass', 'include:nested.example'],
  ['v=spf1 a:mail.example.com -all', 'pass', 'a:mail.example.com'],
  ['v=spf1 a mx:mx.example -all', 'pass', 'mx:mx.example'],
  ['v=spf1 ptr -all', 'pass', 'ptr'],
  ['v=spf1 exists:%{l}.%{i}.%{d} -all', 'pass', 'exists:%{l}.%{i}.%{d}'],
  [`v=spf1 -ip4:${IP} +all`, 'fail', `-ip4:${IP}`],
  ['v=spf1 ?include:good.example -all', 'neutral', '?include:good.example'],
  ['v=spf1 ip4:203.0.113.1 ~all', 'softfail', '~all'],
  ['v=spf1 +all', 'pass', '+all'],
  ['v=spf1 redirect=good.example', 'pass', 'redirect=good.example'],
  ['v=spf1 redirect=other.example', 'fail', 'redirect=other.example'],
  ['v=spf1 ip4:203.0.113.1', 'neutral', null],
  ['v=spf1 include:nothing.example -all', 'permerror', null],
  ['v=spf1 include:broken.example -all', 'temperror', null],
])('%s is a %s by %s', async (record, result, term) => {
  expect(await match(record)).toEqual({ result, term });
});

test('more than the allowed terms with lookups are a permerror, even if none has a name to look up', async () => {
  const record = `v=spf1 ${`exists:${'x'.repeat(64)}.example `.repeat(100)}-all`;
  expect(await match(record)).toEqual({ result: 'permerror', term: null });
});
