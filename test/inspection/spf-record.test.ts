/**
 * Tests the walk through the whole tree of an SPF record: the lookups that it counts, and the void,
 * broken, wide and looping terms that it finds.
 */

import { expect, test } from 'vitest';
import { checkHost } from '../../src/adapters/mailauth/check-host.ts';
import { createReader } from '../../src/analysis/spf/read-record.ts';
import { evaluateSpf } from '../../src/inspection/spf-record.ts';
import type { DnsAnswer } from '../../src/ports/dns.ts';

const found = (...records: unknown[]) => ({ status: 'found' as const, records });
const txt = (text: string) => found([text]);
const nxdomain = { status: 'nxdomain' as const };
const failed = { status: 'failed' as const, error: 'SERVFAIL' };

/** Answers every query from the zone. Names that are not in it do not exist. */
const walk = async (zone: Record<string, unknown>, domain = 'example.com', ip = '192.0.2.25') => {
  const sender = { ip, helo: 'mail.example.com', localPart: 'news', domain };
  const asked = new Set<string>();
  const ask = async (name: string, type: string) => {
    asked.add(`${type} ${name}`);
    return { ...((zone[`${type} ${name}`] ?? nxdomain) as DnsAnswer<unknown>), cnames: [] };
  };
  return {
    ...(await evaluateSpf({ checkHost, ask, sender, read: createReader() })),
    asked: [...asked],
  };
};

const voidsOf = ({ voidTerms }: Awaited<ReturnType<typeof walk>>) =>
  voidTerms.map(({ term }) => term);

test('the walk counts every term below, and looks up a whole level at once', async () => {
  const result = await walk({
    'TXT example.com': txt('v=spf1 include:a.example include:b.example mx ip4:192.0.2.1 -all'),
    'TXT a.example': txt('v=spf1 include:c.example exists:%{l}.x.example ~all'),
    'TXT b.example': txt('v=spf1 ip4:192.0.2.2 ~all'),
    'TXT c.example': txt('v=spf1 ptr a:host.example -all'),
    'MX example.com': found({ preference: 0, exchange: '.' }),
    'PTR 25.2.0.192.in-addr.arpa': found('mail.example.com'),
    'A host.example': found('192.0.2.3'),
  });
  expect(result).toMatchObject({
    lookups: 7,
    voidTerms: [{ term: 'exists:%{l}.x.example', top: 'include:a.example', isOfSender: true }],
    effectiveAll: '-',
  });
  expect(result.tree).toEqual([
    { term: 'include:a.example', lookups: 5, depth: 0 },
    { term: 'include:c.example', lookups: 3, depth: 1 },
    { term: 'ptr', lookups: 1, depth: 2 },
    { term: 'a:host.example', lookups: 1, depth: 2 },
    { term: 'exists:%{l}.x.example', lookups: 1, depth: 1 },
    { term: 'include:b.example', lookups: 1, depth: 0 },
    { term: 'mx', lookups: 1, depth: 0 },
  ]);
  expect(result.asked.slice(0, 4)).toEqual([
    'TXT example.com',
    ...['TXT a.example', 'TXT b.example', 'MX example.com'],
  ]);
  expect(result.asked.slice(4).sort()).toEqual([
    ...['A host.example', 'A mail.example.com', 'A news.x.example'],
    ...['PTR 25.2.0.192.in-addr.arpa', 'TXT c.example'],
  ]);
});

test('RFC 7208 §4.6.4: terms that resolve to nothing are void', async () => {
  const result = await walk({
    'TXT example.com': txt(
      'v=spf1 a mx a:four.example include:gone.example exists:no.example -all',
    ),
    'A four.example': found('192.0.2.1'),
  });
  expect(voidsOf(result)).toEqual(['a', 'mx', 'include:gone.example', 'exists:no.example']);
});

test.each([
  ['192.0.2.25', ['a:six.example', 'exists:six.example']],
  ['::ffff:192.0.2.25', ['a:six.example', 'exists:six.example']],
  ['2001:db8::25', ['a:four.example', 'exists:six.example']],
])('RFC 7208 §5.3: for %s the void terms are %j', async (ip, expected) => {
  const zone = {
    'TXT example.com': txt('v=spf1 a:four.example a:six.example exists:six.example -all'),
    'A four.example': found('192.0.2.1'),
    'AAAA six.example': found('2001:db8::1'),
  };
  expect(voidsOf(await walk(zone, 'example.com', ip))).toEqual(expected);
});

test.each([
  ['include:text.example', 'no SPF records at text.example', 'absent'],
  ['include:gone.example', 'no SPF records at gone.example', 'absent'],
  ['redirect=two.example', '2 SPF records at two.example', 'faulty'],
  ['?include:bad.example', '"a:192.0.2.1" in the record of bad.example', 'faulty'],
  ['mx:many.example', '11 mail servers; the limit is 10', 'crowded'],
  ['include:over.example', 'include:text.example: no SPF records at text.example', 'absent'],
  ['include:slow.example', null],
  ['exists:gone.example', null],
  ['include:%{l}.gone.example', 'no SPF records at a name with the local part', 'absent'],
  ['include:%{o}.gone.example', 'no SPF records at example.com.gone.example', 'absent'],
  ['redirect=%{v}', 'it does not produce a domain name', 'absent'],
  ['exists:%{v}', null],
])('RFC 7208 §5.2: %s makes a permerror: %s', async (term, why, cause = '') => {
  const zone = {
    'TXT example.com': txt(`v=spf1 ${term}`),
    'TXT text.example': txt('hello'),
    'TXT two.example': found(['v=spf1 -all'], ['v=spf1 ~all']),
    'TXT bad.example': txt('v=spf1 mx a:192.0.2.1 -all'),
    'TXT over.example': txt('v=spf1 include:text.example -all'),
    'TXT slow.example': failed,
    'MX many.example': found(
      ...Array.from({ length: 11 }, () => ({ preference: 0, exchange: '.' })),
    ),
  };
  const isOfSender = /%\{[^o]/.test(term);
  const isNested = why?.startsWith('include:') && { isNested: true };
  expect((await walk(zone)).brokenTerms).toEqual(
    why === null ? [] : [{ term, why, cause, isOfSender, ...isNested }],
  );
});

test.each([
  [
    'of two domains',
    'include:b.example',
    { 'TXT b.example': txt('v=spf1 include:example.com -all') },
    true,
  ],
  ['of one', 'include:example.com', {}, undefined],
  [
    'of a wildcard that answers with the record itself',
    'include:%{ir}.%{d}.w.example',
    {
      'TXT 25.2.0.192.example.com.w.example': txt('v=spf1 include:%{ir}.%{d}.w.example -all'),
    },
    undefined,
  ],
])('a loop %s is one', async (_, term, zone, isNested) => {
  const { brokenTerms } = await walk({ 'TXT example.com': txt(`v=spf1 ${term} -all`), ...zone });
  expect(brokenTerms).toMatchObject([{ term, cause: 'loop', ...(isNested && { isNested }) }]);
});

test('RFC 7208 §5.5: ptr is void without a reverse name', async () => {
  const zone = { 'TXT example.com': txt('v=spf1 ptr -all') };
  expect(voidsOf(await walk(zone))).toEqual(['ptr']);
  const named = { ...zone, 'PTR 25.2.0.192.in-addr.arpa': found('mail.example.com') };
  expect((await walk(named)).voidTerms).toEqual([]);
});

test('a failed answer makes nothing void', async () => {
  const zone = {
    'TXT example.com': txt('v=spf1 a include:b.example -all'),
    'A example.com': failed,
    'TXT b.example': failed,
  };
  expect((await walk(zone)).voidTerms).toEqual([]);
});

test.each([
  ['v=spf1 a', null],
  ['v=spf1 ?all', '?'],
  ['v=spf1 redirect=r.example', '~'],
  ['v=spf1 redirect=down.example', 'unknown'],
  ['v=spf1 redirect=%{l}.r.example', '~'],
  ['v=spf1 ?include:r.example ?exists:here.example redirect=%{l}.r.example', 'unknown'],
  ['v=spf1 redirect=r.%{d1r}', '~'],
  ['v=spf1 redirect=gone.example', null],
  ['v=spf1 -all redirect=r.example', '-'],
])('%s ends with %s', async (record, expected) => {
  const zone = {
    'TXT example.com': txt(record),
    'TXT r.example': txt('v=spf1 mx ~all'),
    'TXT news.r.example': txt('v=spf1 mx ~all'),
    'TXT down.example': failed,
    'A here.example': found('127.0.0.2'),
  };
  expect((await walk(zone)).effectiveAll).toBe(expected);
});

test('RFC 7208 §5.1: redirect= is not read if there is all', async () => {
  const zone = { 'TXT example.com': txt('v=spf1 redirect=r.example -all include:late.example') };
  expect(await walk(zone)).toMatchObject({ lookups: 0, effectiveAll: '-', tree: [] });
});

test.each([
  ['v=spf1 +all', ['+all']],
  ['v=spf1 ip4:10.0.0.0/7 -all', ['ip4:10.0.0.0/7']],
  ['v=spf1 ip4:10.0.0.0/8 ip6:2001::/19 -all', []],
  ['v=spf1 ip6:2001::/18 -all', ['ip6:2001::/18']],
  ['v=spf1 a/0 -all', ['a/0']],
  ['v=spf1 mx:mail.example/7 -all', ['mx:mail.example/7']],
  ['v=spf1 a:mail.example/24//18 -all', ['a:mail.example/24//18']],
  ['v=spf1 a mx/8 a:mail.example//19 -mx/0 -all', []],
  ['v=spf1 -ip4:0.0.0.0/0 ~all', []],
  ['v=spf1 include:open.example -all', ['all of include:open.example']],
  ['v=spf1 ?include:open.example -all', []],
])('%s admits too much: %j', async (record, expected) => {
  const zone = { 'TXT example.com': txt(record), 'TXT open.example': txt('v=spf1 all') };
  expect(
    (await walk(zone)).wideTerms.map(({ term, top }) =>
      top === term ? term : `${term} of ${top}`,
    ),
  ).toEqual(expected);
});

test.each([
  ['v=spf1 include:example.com -all', 'v=spf1 -all'],
  ['v=spf1 include:b.example -all', 'v=spf1 include:example.com -all'],
  ['v=spf1 redirect=b.example', 'v=spf1 redirect=b.example'],
  ['v=spf1 include:b.example -all', 'v=spf1 include:b.example include:b.example -all'],
])('the loop of %s and %s ends, and is over the limit', async (own, other) => {
  const loop = await walk({ 'TXT example.com': txt(own), 'TXT b.example': txt(other) });
  expect(loop.lookups).toBeGreaterThan(10);
  expect(loop.lookups).toBeLessThan(200);
  expect(loop.asked.length).toBeLessThan(4);
});

test.each([
  ['v=spf1 include:example.com mx -all', 'v=spf1 -all', 'include:example.com'],
  ['v=spf1 mx include:b.example -all', 'v=spf1 include:example.com -all', 'include:b.example'],
  ['v=spf1 redirect=b.example', 'v=spf1 redirect=b.example', 'redirect=b.example'],
])('the loop of %s and %s belongs to the own term %s', async (own, other, term) => {
  const { brokenTerms } = await walk({ 'TXT example.com': txt(own), 'TXT b.example': txt(other) });
  expect(brokenTerms).toMatchObject([{ term, cause: 'loop' }]);
});

test('a term in a loop is reported once as void, broken or wide', async () => {
  const own = 'v=spf1 include:example.com a:gone.example ip4:0.0.0.0/0 include:text.example -all';
  expect(
    await walk({ 'TXT example.com': txt(own), 'TXT text.example': txt('hello') }),
  ).toMatchObject({
    voidTerms: [{ term: 'a:gone.example', top: 'a:gone.example' }],
    brokenTerms: [{ term: 'include:example.com', cause: 'loop' }, { term: 'include:text.example' }],
    wideTerms: [{ term: 'ip4:0.0.0.0/0', top: 'ip4:0.0.0.0/0' }],
  });
});

test('the depth is limited', async () => {
  const deep = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `TXT d${i}.example`,
      txt(`v=spf1 include:d${i + 1}.example -all`),
    ]),
  );
  expect((await walk(deep, 'd0.example')).lookups).toBe(11);
});

test('several records count as no record', async () => {
  const zone = { 'TXT example.com': found(['v=spf1 a -all'], ['v=spf1 mx -all']) };
  expect(await walk(zone)).toMatchObject({ lookups: 0, effectiveAll: null });
});

test('each void, broken or wide term comes with the own term that leads to it', async () => {
  const zone = {
    'TXT example.com': txt('v=spf1 include:a.example ?include:b.example -all'),
    'TXT a.example': txt('v=spf1 include:c.example -all'),
    'TXT b.example': txt('v=spf1 mx:gone.example -all'),
    'TXT c.example': txt('v=spf1 a:gone.example include:text.example +all'),
    'TXT text.example': txt('hello'),
  };
  const { voidTerms, brokenTerms, wideTerms } = await walk(zone);
  const of = { isOfSender: false, instead: [] };
  expect(voidTerms).toEqual([
    { term: 'a:gone.example', top: 'include:a.example', ...of },
    { term: 'mx:gone.example', top: '?include:b.example', ...of },
  ]);
  expect(brokenTerms).toEqual([
    {
      term: 'include:a.example',
      why: 'include:text.example: no SPF records at text.example',
      cause: 'absent',
      isOfSender: false,
      isNested: true,
    },
  ]);
  expect(wideTerms).toEqual([{ term: '+all', top: 'include:a.example' }]);
});

test.each([
  ['2001:db8::25', 'a:both.example', []],
  ['2001:db8::25', 'a:four.example', ['ip4:192.0.2.1', 'ip4:192.0.2.2']],
  ['2001:db8::25', '~a:four.example/24//64', ['~ip4:192.0.2.1/24', '~ip4:192.0.2.2/24']],
  ['192.0.2.25', 'a:six.example/24//64', ['ip6:2001:db8::1/64']],
  ['192.0.2.25', 'a:six.example/24', ['ip6:2001:db8::1']],
  ['192.0.2.25', 'a:gone.example', []],
  ['192.0.2.25', 'exists:six.example', []],
])('for %s a void %s would be %j', async (ip, term, expected) => {
  const zone = {
    'TXT example.com': txt(`v=spf1 ${term} -all`),
    'A four.example': found('192.0.2.1', '192.0.2.2'),
    'AAAA six.example': found('2001:db8::1'),
    'A both.example': found('192.0.2.1'),
    'AAAA both.example': found('2001:db8::1'),
  };
  expect((await walk(zone, 'example.com', ip)).voidTerms.flatMap(({ instead }) => instead)).toEqual(
    expected,
  );
});

test('RFC 7208 §4.6.4: the names of %{p} need a lookup of their own, which may be void', async () => {
  const record = { 'TXT example.com': txt('v=spf1 exists:%{p}.x.example a:%{p}%{p} ptr -all') };
  const none = await walk(record);
  expect(none.lookups).toBe(5);
  expect(voidsOf(none)).toEqual([
    'exists:%{p}.x.example',
    'exists:%{p}.x.example',
    'a:%{p}%{p}',
    'ptr',
  ]);
  expect(none.voidTerms.map(({ isOfSender }) => isOfSender)).toEqual([true, true, true, false]);
});

test.each([
  [['a.example.net', 'b.example.com', 'example.com'], 'example.com'],
  [['a.example.net', 'B.example.com.'], 'b.example.com'],
  [['a.example.net'], 'a.example.net'],
  [['not.example.com'], 'unknown'],
  [[], 'unknown'],
  [[...Array.from({ length: 10 }, () => 'not.example.com'), 'example.com'], 'unknown'],
])('RFC 7208 §7.3: for %j the macro p is %s', async (names, expected) => {
  const result = await walk({
    'TXT example.com': txt('v=spf1 exists:%{p}.x.example -all'),
    'PTR 25.2.0.192.in-addr.arpa': names.length > 0 ? found(...names) : nxdomain,
    'A example.com': found('192.0.2.25'),
    'A b.example.com': found('192.0.2.25'),
    'A a.example.net': found('192.0.2.1', '192.0.2.25'),
    'A not.example.com': found('192.0.2.26'),
  });
  expect(result.asked).toContain(`A ${expected}.x.example`);
});

test('a name with the local part is looked up only where a receiver would do so, and shown nowhere', async () => {
  const record = 'include:%{l}.x.example -all';
  const zone = {
    'TXT news.x.example': txt('v=spf1 include:%{d}.y.example mx:plain.example -all'),
    'A here.example': found('127.0.0.2'),
  };
  const reached = await walk({ ...zone, 'TXT example.com': txt(`v=spf1 ${record}`) });
  expect(reached).toMatchObject({
    result: 'permerror',
    lookups: 3,
    asked: ['TXT example.com', 'TXT news.x.example', 'TXT news.x.example.y.example'],
    voidTerms: [
      { term: 'include:%{d}.y.example', top: 'include:%{l}.x.example', isOfSender: true },
    ],
    brokenTerms: [
      {
        term: 'include:%{l}.x.example',
        why: 'include:%{d}.y.example: no SPF records at a name with the local part',
        isOfSender: true,
      },
    ],
  });
  const before = await walk({
    ...zone,
    'TXT example.com': txt(`v=spf1 exists:here.example ${record}`),
  });
  expect(before).toMatchObject({
    result: 'pass',
    lookups: 2,
    brokenTerms: [],
    asked: ['TXT example.com', 'A here.example'],
  });
});

test('only the network that contains the sender is visited, of any number of networks', async () => {
  const networks = Array.from({ length: 5000 }, (_, i) => `ip4:198.51.${i >> 8}.${i & 255}`);
  const of = (last: string) =>
    walk({ 'TXT example.com': txt(`v=spf1 ${networks.join(' ')} ${last} -all`) });
  expect(await of('ip4:192.0.2.0/24')).toMatchObject({
    result: 'pass',
    matchedTerm: 'ip4:192.0.2.0/24',
  });
  expect(await of('a')).toMatchObject({ effectiveAll: '-', lookups: 1 });
});

test('the last of more than five hundred terms with lookups is unknown', async () => {
  const of = (length: number, end: string) =>
    walk({
      'TXT example.com': txt(`v=spf1 ${'a '.repeat(length)}${end}`),
      'TXT r.example': txt('v=spf1 -all'),
    });
  const result = 'permerror';
  expect(await of(500, '~all')).toMatchObject({ result, effectiveAll: '~' });
  expect(await of(500, 'redirect=r.example')).toMatchObject({ result, effectiveAll: 'unknown' });
});
