import { expect, test } from 'vitest';
import { questionKey, type SpfAnswers, walkSpf } from '../../../src/analysis/records/spf-walk.ts';

const found = (...records: unknown[]) => ({ status: 'found' as const, records });
const txt = (text: string) => found([text]);
const nxdomain = { status: 'nxdomain' as const };
const failed = { status: 'failed' as const, error: 'SERVFAIL' };

/** Answers everything that is asked from the zone; what is not in it does not exist. */
const walk = (zone: Record<string, unknown>, domain = 'example.com', ip = '192.0.2.25') => {
  const sender = { ip, helo: 'mail.example.com', domain };
  const answers = new Map<string, SpfAnswers extends ReadonlyMap<string, infer A> ? A : never>();
  const levels: string[][] = [];
  for (;;) {
    const result = walkSpf(domain, answers, sender);
    if (result.wanted.length === 0) return { ...result, levels };
    levels.push(result.wanted.map(questionKey));
    for (const question of result.wanted)
      answers.set(questionKey(question), (zone[questionKey(question)] ?? nxdomain) as never);
  }
};

test('counts every term below, and asks a whole level at once', () => {
  const result = walk({
    'TXT example.com': txt('v=spf1 include:a.example include:b.example mx ip4:192.0.2.1 -all'),
    'TXT a.example': txt('v=spf1 include:c.example exists:%{l}.x.example ~all'),
    'TXT b.example': txt('v=spf1 ip4:192.0.2.2 ~all'),
    'TXT c.example': txt('v=spf1 ptr a:host.example -all'),
    'MX example.com': found({}),
    'PTR 25.2.0.192.in-addr.arpa': found('mail.example.com'),
    'A host.example': found('192.0.2.3'),
  });
  expect(result).toMatchObject({
    lookups: 7,
    heaviest: 'include:a.example',
    voidTerms: [],
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
  expect(result.levels).toEqual([
    ['TXT example.com'],
    ['TXT a.example', 'TXT b.example', 'MX example.com'],
    ['TXT c.example'],
    ['PTR 25.2.0.192.in-addr.arpa', 'A host.example'],
  ]);
});

test('RFC 7208 §4.6.4: terms that resolve to nothing are void', () => {
  const result = walk({
    'TXT example.com': txt(
      'v=spf1 a mx a:four.example include:gone.example exists:no.example -all',
    ),
    'A four.example': found('192.0.2.1'),
  });
  expect(result.voidTerms).toEqual(['a', 'mx', 'include:gone.example', 'exists:no.example']);
});

test.each([
  ['192.0.2.25', ['a:six.example', 'exists:six.example']],
  ['::ffff:192.0.2.25', ['a:six.example', 'exists:six.example']],
  ['2001:db8::25', ['a:four.example', 'exists:six.example']],
])('RFC 7208 §5.3: for %s the void terms are %j', (ip, expected) => {
  const zone = {
    'TXT example.com': txt('v=spf1 a:four.example a:six.example exists:six.example -all'),
    'A four.example': found('192.0.2.1'),
    'AAAA six.example': found('2001:db8::1'),
  };
  expect(walk(zone, 'example.com', ip).voidTerms).toEqual(expected);
});

test.each([
  ['include:text.example', 'no SPF records at text.example'],
  ['include:gone.example', 'no SPF records at gone.example'],
  ['redirect=two.example', '2 SPF records at two.example'],
  ['?include:bad.example', '"a:192.0.2.1" in the record of bad.example'],
  ['mx:many.example', '11 mail servers; the limit is 10'],
  ['include:over.example', 'include:text.example: no SPF records at text.example'],
  ['include:slow.example', null],
  ['exists:gone.example', null],
  ['include:%{l}.gone.example', null],
  ['include:%{o}.gone.example', 'no SPF records at example.com.gone.example'],
  ['redirect=%{v}', 'no domain name comes of it'],
  ['exists:%{v}', null],
])('RFC 7208 §5.2: %s makes a permerror: %s', (term, why) => {
  const zone = {
    'TXT example.com': txt(`v=spf1 ${term}`),
    'TXT text.example': txt('hello'),
    'TXT two.example': found(['v=spf1 -all'], ['v=spf1 ~all']),
    'TXT bad.example': txt('v=spf1 mx a:192.0.2.1 -all'),
    'TXT over.example': txt('v=spf1 include:text.example -all'),
    'TXT slow.example': failed,
    'MX many.example': found(...Array.from({ length: 11 }, () => ({}))),
  };
  expect(walk(zone).brokenTerms).toEqual(why === null ? [] : [{ term, why }]);
});

test('RFC 7208 §5.5: ptr is void without a reverse name', () => {
  const zone = { 'TXT example.com': txt('v=spf1 ptr -all') };
  expect(walk(zone).voidTerms).toEqual(['ptr']);
  const named = { ...zone, 'PTR 25.2.0.192.in-addr.arpa': found('mail.example.com') };
  expect(walk(named).voidTerms).toEqual([]);
});

test('a failed answer makes nothing void', () => {
  const zone = {
    'TXT example.com': txt('v=spf1 a include:b.example -all'),
    'A example.com': failed,
    'TXT b.example': failed,
  };
  expect(walk(zone).voidTerms).toEqual([]);
});

test.each([
  ['v=spf1 a', null],
  ['v=spf1 ?all', '?'],
  ['v=spf1 redirect=r.example', '~'],
  ['v=spf1 redirect=down.example', 'unknown'],
  ['v=spf1 redirect=%{l}.r.example', 'unknown'],
  ['v=spf1 redirect=r.%{d1r}', '~'],
  ['v=spf1 redirect=gone.example', null],
  ['v=spf1 -all redirect=r.example', '-'],
])('%s ends with %s', (record, expected) => {
  const zone = {
    'TXT example.com': txt(record),
    'TXT r.example': txt('v=spf1 mx ~all'),
    'TXT down.example': failed,
  };
  expect(walk(zone).effectiveAll).toBe(expected);
});

test('RFC 7208 §5.1: redirect= beside all is not read', () => {
  const zone = { 'TXT example.com': txt('v=spf1 redirect=r.example -all include:late.example') };
  expect(walk(zone)).toMatchObject({ lookups: 0, effectiveAll: '-', tree: [] });
});

test.each([
  ['v=spf1 +all', ['+all']],
  ['v=spf1 ip4:10.0.0.0/7 -all', ['ip4:10.0.0.0/7']],
  ['v=spf1 ip4:10.0.0.0/8 ip6:2001::/19 -all', []],
  ['v=spf1 ip6:2001::/18 -all', ['ip6:2001::/18']],
  ['v=spf1 -ip4:0.0.0.0/0 ~all', []],
  ['v=spf1 include:open.example -all', ['all']],
  ['v=spf1 ?include:open.example -all', []],
])('%s lets in too much: %j', (record, expected) => {
  const zone = { 'TXT example.com': txt(record), 'TXT open.example': txt('v=spf1 all') };
  expect(walk(zone).wideTerms).toEqual(expected);
});

test.each([
  ['v=spf1 include:example.com -all', 'v=spf1 -all'],
  ['v=spf1 include:b.example -all', 'v=spf1 include:example.com -all'],
  ['v=spf1 redirect=b.example', 'v=spf1 redirect=b.example'],
  ['v=spf1 include:b.example -all', 'v=spf1 include:b.example include:b.example -all'],
])('the loop of %s and %s ends, and is over the limit', (own, other) => {
  const loop = walk({ 'TXT example.com': txt(own), 'TXT b.example': txt(other) });
  expect(loop.lookups).toBeGreaterThan(10);
  expect(loop.lookups).toBeLessThan(200);
  expect(loop.levels.length).toBeLessThan(4);
});

test('what a loop names is void, broken or wide once', () => {
  const own = 'v=spf1 include:example.com a:gone.example ip4:0.0.0.0/0 include:text.example -all';
  expect(walk({ 'TXT example.com': txt(own), 'TXT text.example': txt('hello') })).toMatchObject({
    voidTerms: ['a:gone.example'],
    brokenTerms: [{ term: 'include:text.example' }],
    wideTerms: ['ip4:0.0.0.0/0'],
  });
});

test('depth ends', () => {
  const deep = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `TXT d${i}.example`,
      txt(`v=spf1 include:d${i + 1}.example -all`),
    ]),
  );
  expect(walk(deep, 'd0.example').lookups).toBe(11);
});

test('several records are none', () => {
  const zone = { 'TXT example.com': found(['v=spf1 a -all'], ['v=spf1 mx -all']) };
  expect(walk(zone)).toMatchObject({ lookups: 0, effectiveAll: null });
});
