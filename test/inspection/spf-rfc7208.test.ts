import { expect, test } from 'vitest';
import type { Zone } from '../environment/dns-zone.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';
import { evaluateSpf } from '../support/mail/evaluate-spf.ts';

const A = ['192.0.2.1'];

/** What every case may point at. */
const environment: Zone = {
  'here.example': { A },
  'there.example': { A: ['198.51.100.1'] },
  'six.example': { AAAA: ['2001:db8::1'] },
  'mx.example': { MX: ['10 there.example', '20 here.example'] },
  'nomx.example': { A },
  'nullmx.example': { MX: ['0 .'] },
  'pass.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  'fail.example': { TXT: ['v=spf1 -all'] },
  'soft.example': { TXT: ['v=spf1 ~all'] },
  'broken.example': { TXT: ['v=spf1 nonsense'] },
  'unasked.example': { TXT: ['hello'] },
  'dead.example': 'SERVFAIL',
  'loop.example': { TXT: ['v=spf1 include:loop.example -all'] },
  'cname.example': { CNAME: 'pass.example' },
  'host.ptr.example': { A },
  '1.2.0.192.in-addr.arpa': { PTR: ['host.ptr.example', 'liar.example'] },
  'liar.example': { A: ['198.51.100.9'] },
};

interface Identity {
  readonly ip?: string;
  readonly helo?: string;
  readonly localPart?: string;
  readonly domain?: string;
}

async function spfOf(record: string | readonly string[] | null, more: Zone, identity: Identity) {
  const own: Zone = record === null ? {} : { 'sender.example': { TXT: [record].flat() } };
  const all = {
    ip: '192.0.2.1',
    helo: 'helo.example',
    localPart: 'user',
    domain: 'sender.example',
  };
  const resolver = resolverOf(askZone({ ...environment, ...own, ...more }));
  const { result } = await evaluateSpf({ ...all, ...identity }, resolver);
  return result;
}

type Case = [
  name: string,
  record: string | readonly string[] | null,
  result: string,
  identity?: Identity,
  more?: Zone,
];

const names = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => of(n)).join(' ');

const TEN = names(10, (n) => `a:h${n}.example`);
const tenHosts: Zone = Object.fromEntries(
  Array.from({ length: 11 }, (_, n) => [`h${n}.example`, { A: ['198.51.100.2'] }]),
);

test.each<Case>([
  ['§4.3: a domain of one label', 'v=spf1 +all', 'none', { domain: 'localhost' }],
  ['§4.3: an empty label', 'v=spf1 +all', 'none', { domain: 'a..sender.example' }],
  ['§4.3: a label too long', 'v=spf1 +all', 'none', { domain: `${'a'.repeat(64)}.example` }],
  ['§4.3: an address literal', 'v=spf1 +all', 'none', { domain: '[192.0.2.1]' }],
  ['§4.4: no such name', null, 'none'],
  ['§4.4: SERVFAIL', null, 'temperror', { domain: 'dead.example' }],
  ['§4.5: no record', 'hello', 'none'],
  ['§4.5: another version', 'v=spf10 +all', 'none'],
  ['§4.5: in capitals', 'V=SPF1 +ALL', 'pass'],
  ['§4.5: two records', ['v=spf1 +all', 'v=spf1 -all'], 'permerror'],
  ['§4.5: one record among other texts', ['v=spf10', 'v=spf1 +all', 'hello'], 'pass'],
  ['§4.6: a term nobody knows', 'v=spf1 ip4:192.0.2.1 nonsense -all', 'permerror'],
  ['§4.6.1: a mechanism nobody knows with a value', 'v=spf1 foo:bar -all', 'permerror'],
  ['§4.6.1: two spaces', 'v=spf1  ip4:192.0.2.1  -all', 'pass'],
  ['§6: a modifier nobody knows', 'v=spf1 foo=bar ip4:192.0.2.1 -all', 'pass'],
  ['§6: redirect= twice', 'v=spf1 redirect=pass.example redirect=pass.example', 'permerror'],
  ['§4.6.2: +', 'v=spf1 +all', 'pass'],
  ['§4.6.2: -', 'v=spf1 -all', 'fail'],
  ['§4.6.2: ~', 'v=spf1 ~all', 'softfail'],
  ['§4.6.2: ?', 'v=spf1 ?all', 'neutral'],
  ['§4.7: nothing matches', 'v=spf1 ip4:198.51.100.1', 'neutral'],
  ['§4.6.4: ten terms', `v=spf1 ${TEN} +all`, 'pass', {}, tenHosts],
  ['§4.6.4: eleven terms', `v=spf1 ${TEN} a:h10.example +all`, 'permerror', {}, tenHosts],
  ['§4.6.4: two names that are not there', 'v=spf1 a:n1.example a:n2.example +all', 'pass'],
  ['§4.6.4: three', 'v=spf1 a:n1.example a:n2.example a:n3.example +all', 'permerror'],
  ['§4.6.4: ip4 costs nothing', `v=spf1 ${names(40, (n) => `ip4:198.51.100.${n}`)} +all`, 'pass'],
  ['§4.6.4: an include that never ends', 'v=spf1 include:loop.example -all', 'permerror'],
  ['§4.8: a trailing dot', 'v=spf1 a:here.example. -all', 'pass'],
  ['§5.1: what stands after all is not read', 'v=spf1 -all a:dead.example', 'fail'],
  ['§5.1: all takes no value', 'v=spf1 -all:here.example', 'permerror'],
  ['§5.2: include of a pass', 'v=spf1 include:pass.example -all', 'pass'],
  ['§5.2: include of a fail is no match', 'v=spf1 include:fail.example ?all', 'neutral'],
  ['§5.2: include of a softfail is no match', 'v=spf1 include:soft.example -all', 'fail'],
  ['§5.2: include of no record', 'v=spf1 include:unasked.example -all', 'permerror'],
  ['§5.2: include of a broken record', 'v=spf1 include:broken.example -all', 'permerror'],
  ['§5.2: include of a dead name', 'v=spf1 include:dead.example -all', 'temperror'],
  ['§5.2: include takes a name', 'v=spf1 include -all', 'permerror'],
  ['§5.2: include through a CNAME', 'v=spf1 include:cname.example -all', 'pass'],
  ['§5.2: the qualifier of include counts', 'v=spf1 -include:pass.example +all', 'fail'],
  [
    '§5.3: a of the domain itself',
    null,
    'pass',
    {},
    {
      'sender.example': { A, TXT: ['v=spf1 a -all'] },
    },
  ],
  ['§5.3: a of another', 'v=spf1 a:here.example -all', 'pass'],
  ['§5.3: a that is elsewhere', 'v=spf1 a:there.example -all', 'fail'],
  ['§5.3: a with a range', 'v=spf1 a:there.example/8 a:here.example/30 -all', 'pass'],
  ['§5.3: a with a range too long', 'v=spf1 a:here.example/33 -all', 'permerror'],
  ['§5.3: a of IPv6', 'v=spf1 a:six.example -all', 'pass', { ip: '2001:db8::1' }],
  ['§5.3: a with two ranges', 'v=spf1 a:six.example/8//64 -all', 'pass', { ip: '2001:db8::9' }],
  ['§5.3: an IPv4 address is not looked for in AAAA', 'v=spf1 a:six.example -all', 'fail'],
  ['§5.4: mx', 'v=spf1 mx:mx.example -all', 'pass'],
  ['§5.4: no MX is no match, whatever A says', 'v=spf1 mx:nomx.example -all', 'fail'],
  ['§5.4: a null MX', 'v=spf1 mx:nullmx.example -all', 'fail'],
  [
    '§4.6.4: more than ten MX',
    'v=spf1 mx:many.example -all',
    'permerror',
    {},
    {
      ...tenHosts,
      'many.example': { MX: Array.from({ length: 11 }, (_, n) => `10 h${n}.example`) },
    },
  ],
  ['§5.5: ptr', 'v=spf1 ptr:ptr.example -all', 'pass'],
  ['§5.5: ptr of a name that does not point back', 'v=spf1 ptr:liar.example -all', 'fail'],
  ['§5.5: ptr without a PTR', 'v=spf1 ptr:ptr.example -all', 'fail', { ip: '192.0.2.7' }],
  ['§5.6: ip4', 'v=spf1 ip4:192.0.2.1 -all', 'pass'],
  ['§5.6: ip4 of a network', 'v=spf1 ip4:192.0.2.0/24 -all', 'pass'],
  ['§5.6: ip4 of everything', 'v=spf1 ip4:0.0.0.0/0 -all', 'pass'],
  ['§5.6: an invalid ip4', 'v=spf1 ip4:192.0.2.256 -all', 'permerror'],
  ['§5.6: ip4 of three numbers', 'v=spf1 ip4:192.0.2 -all', 'permerror'],
  ['§5.6: ip4 with a range too long', 'v=spf1 ip4:192.0.2.1/33 -all', 'permerror'],
  ['§5.6: ip4 with a range of a leading zero', 'v=spf1 ip4:192.0.2.1/032 -all', 'permerror'],
  ['§5.6: ip6', 'v=spf1 ip6:2001:db8::/32 -all', 'pass', { ip: '2001:db8:1::1' }],
  ['§5.6: an invalid ip6', 'v=spf1 ip6:2001:db8::zz -all', 'permerror'],
  ['§5.6: IPv4 written as IPv6', 'v=spf1 ip4:192.0.2.1 -all', 'pass', { ip: '::ffff:192.0.2.1' }],
  ['§5.7: exists', 'v=spf1 exists:here.example -all', 'pass'],
  ['§5.7: exists not', 'v=spf1 exists:nowhere.example -all', 'fail'],
  [
    '§5.7: exists looks for A, also of an IPv6 client',
    'v=spf1 exists:here.example -all',
    'pass',
    {
      ip: '2001:db8::5',
    },
  ],
  ['§5.7: exists of a dead name', 'v=spf1 exists:dead.example -all', 'temperror'],
  ['§6.1: redirect', 'v=spf1 redirect=pass.example', 'pass'],
  ['§6.1: redirect after all is not taken', 'v=spf1 -all redirect=pass.example', 'fail'],
  ['§6.1: redirect before a mechanism that matches', 'v=spf1 redirect=fail.example +all', 'pass'],
  ['§6.1: redirect to no record', 'v=spf1 redirect=unasked.example', 'permerror'],
  ['§6.2: exp of a dead name changes nothing', 'v=spf1 exp=dead.example -all', 'fail'],
  ['§6.2: exp twice', 'v=spf1 exp=a.example exp=b.example -all', 'permerror'],
  ['§7.2: %{i}', 'v=spf1 exists:%{i}.m.example -all', 'pass', {}, { '192.0.2.1.m.example': { A } }],
  [
    '§7.2: %{ir}',
    'v=spf1 exists:%{ir}.m.example -all',
    'pass',
    {},
    {
      '1.2.0.192.m.example': { A },
    },
  ],
  ['§7.2: %{d2}', 'v=spf1 exists:%{d1}.m.example -all', 'pass', {}, { 'example.m.example': { A } }],
  ['§7.2: %{l}', 'v=spf1 exists:%{l}.m.example -all', 'pass', {}, { 'user.m.example': { A } }],
  [
    '§7.2: %{lr-}',
    'v=spf1 exists:%{lr-}.m.example -all',
    'pass',
    { localPart: 'a-b' },
    {
      'b.a.m.example': { A },
    },
  ],
  [
    '§7.2: %{h}',
    'v=spf1 exists:%{h}.m.example -all',
    'pass',
    {},
    { 'helo.example.m.example': { A } },
  ],
  ['§7.2: %{v}', 'v=spf1 exists:%{v}.m.example -all', 'pass', {}, { 'in-addr.m.example': { A } }],
  ['§7.1: %%, %_, %-', 'v=spf1 exists:a%%b.example -all', 'fail'],
  ['§7.1: a lone %', 'v=spf1 exists:a%b.example -all', 'permerror'],
  ['§7.1: a letter nobody knows', 'v=spf1 exists:%{x}.example -all', 'permerror'],
  ['§7.2: zero labels', 'v=spf1 exists:%{d0}.example -all', 'permerror'],
  ['§7.1: a macro that never closes', 'v=spf1 exists:%{i.example -all', 'permerror'],
  ['§2.4: the null sender is judged by HELO', null, 'pass', { domain: '', helo: 'pass.example' }],
  [
    '§3.3: strings of one record belong together',
    null,
    'pass',
    {},
    {
      'sender.example': { TXT: [['v=spf1 ip4:192.', '0.2.1 -all']] },
    },
  ],
  [
    'a local part of quotes and spaces',
    'v=spf1 exists:%{l}.m.example -all',
    'fail',
    {
      localPart: '"a b"@c',
    },
  ],
  ['a record of 20,000 terms', `v=spf1 ${names(20_000, () => 'ip4:198.51.100.1')} +all`, 'pass'],
  ['a TXT of 60 KB', [`v=spf1 +all ${'x'.repeat(60_000)}`], 'permerror'],
  ['1,000 includes', `v=spf1 ${names(1000, (n) => `include:i${n}.example`)} +all`, 'permerror'],
  [
    'a CNAME loop',
    'v=spf1 a:c1.example -all',
    'temperror',
    {},
    {
      'c1.example': { CNAME: 'c2.example' },
      'c2.example': { CNAME: 'c1.example' },
    },
  ],
])('%s', async (_, record, result, identity = {}, more = {}) => {
  expect(await spfOf(record, more, identity)).toBe(result);
});
