import { describe, expect, test } from 'vitest';
import { isSpfRecord, parseSpf } from '../../../src/analysis/records/spf.ts';
import { lintSpf } from '../../../src/analysis/records/spf-lint.ts';
import { questionKey, type SpfAnswers, walkSpf } from '../../../src/analysis/records/spf-walk.ts';

const found = (...records: unknown[]) => ({ status: 'found' as const, records });
const txt = (text: string) => found([text]);
const nxdomain = { status: 'nxdomain' as const };
const failed = { status: 'failed' as const, error: 'SERVFAIL' };

/** Answers everything that is asked from the zone; what is not in it does not exist. */
const walk = (zone: Record<string, unknown>, domain = 'example.com') => {
  const answers = new Map<string, SpfAnswers extends ReadonlyMap<string, infer A> ? A : never>();
  const levels: string[][] = [];
  for (;;) {
    const result = walkSpf(domain, answers);
    if (result.wanted.length === 0) return { ...result, levels };
    levels.push(result.wanted.map(questionKey));
    for (const question of result.wanted)
      answers.set(questionKey(question), (zone[questionKey(question)] ?? nxdomain) as never);
  }
};

test.each([
  ['v=spf1', true],
  ['v=spf1 -all', true],
  ['V=SPF1 -all', true],
  ['v=spf10 -all', false],
  [' v=spf1 -all', false],
  ['“v=spf1 -all”', false],
])('RFC 7208 §4.5: %j is a record: %s', (text, expected) => {
  expect(isSpfRecord(text)).toBe(expected);
});

test('terms keep qualifier, name and value apart', () => {
  expect(
    parseSpf('v=spf1  a/24 -MX:mail.example.com//64 redirect=x.example exp=%{d} foo ~all'),
  ).toMatchObject([
    { kind: 'mechanism', name: 'a', qualifier: '+', value: '/24' },
    { kind: 'mechanism', name: 'mx', qualifier: '-', value: 'mail.example.com//64' },
    { kind: 'modifier', name: 'redirect', value: 'x.example' },
    { kind: 'modifier', name: 'exp' },
    { kind: 'unknown', name: 'foo' },
    { kind: 'mechanism', name: 'all', qualifier: '~' },
  ]);
});

describe('lints', () => {
  test.each([
    ['v=spf1 ipv4:192.0.2.1 -all', 'ipv4:192.0.2.1', 'ip4:192.0.2.1'],
    ['v=spf1 ip4:2001:db8::1 -all', 'ip4:2001:db8::1', 'ip6:2001:db8::1'],
    ['v=spf1 ip4:192.0.2.0/33 -all', 'ip4:192.0.2.0/33', 'ip4:192.0.2.0'],
    ['v=spf1 ip4:192.0.2 -all', 'ip4:192.0.2', ''],
    ['v=spf1 192.0.2.1 -all', '192.0.2.1', 'ip4:192.0.2.1'],
    [
      'v=spf1 inlcude:_spf.example.net -all',
      'inlcude:_spf.example.net',
      'include:_spf.example.net',
    ],
    [
      'v=spf1 include:“_spf.example.net” -all',
      'include:“_spf.example.net”',
      'include:_spf.example.net',
    ],
    ['v=spf1 -all include:x.example', '-all include:x.example', 'include:x.example -all'],
    ['v=spf1 include: -all', 'include:', ''],
  ])('%s is broken', (record, bad, good) => {
    expect(lintSpf(record, 'example.com', false)).toContainEqual({ severity: 'fail', bad, good });
  });

  test.each([
    ['v=spf1 ptr -all', false, 'ptr'],
    ['V=SPF1 -all', false, 'V=SPF1'],
    ['v=spf1 -all', true, 'the SPF (type 99) record of example.com'],
  ])('%s (type 99: %s) is only warned of', (record, hasType99, bad) => {
    expect(lintSpf(record, 'example.com', hasType99)).toMatchObject([{ severity: 'warn', bad }]);
  });

  test.each([
    [450, 0],
    [451, 1],
  ])('a record of %i octets gives %i warnings', (length, count) => {
    const head = 'v=spf1 include:';
    const record = `${head}${'x'.repeat(length - head.length - ' -all'.length)} -all`;
    expect(lintSpf(record, 'example.com', false)).toHaveLength(count);
  });

  test.each([
    'v=spf1 a mx ip4:192.0.2.0/24 ip6:2001:db8::/32 exists:%{i}.example.com -all',
    'v=spf1 redirect=_spf.example.com',
    'v=spf1 -all exp=explain.example.com unknown-modifier=x',
    'v=spf1 ip6:::ffff:192.0.2.1 ~all',
  ])('%s is clean', (record) => {
    expect(lintSpf(record, 'example.com', false)).toEqual([]);
  });
});

describe('the walk', () => {
  test('counts every term below, and asks a whole level at once', () => {
    const result = walk({
      'TXT example.com': txt('v=spf1 include:a.example include:b.example mx ip4:192.0.2.1 -all'),
      'TXT a.example': txt('v=spf1 include:c.example exists:%{i}.x.example ~all'),
      'TXT b.example': txt('v=spf1 ip4:192.0.2.2 ~all'),
      'TXT c.example': txt('v=spf1 ptr a:host.example -all'),
      'MX example.com': found({}),
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
      { term: 'exists:%{i}.x.example', lookups: 1, depth: 1 },
      { term: 'include:b.example', lookups: 1, depth: 0 },
      { term: 'mx', lookups: 1, depth: 0 },
    ]);
    expect(result.levels).toEqual([
      ['TXT example.com'],
      ['TXT a.example', 'TXT b.example', 'MX example.com'],
      ['TXT c.example'],
      ['A host.example', 'AAAA host.example'],
    ]);
  });

  test('RFC 7208 §4.6.4: terms that resolve to nothing are void', () => {
    const result = walk({
      'TXT example.com': txt(
        'v=spf1 a mx a:six.example include:gone.example exists:no.example -all',
      ),
      'AAAA six.example': found('2001:db8::1'),
    });
    expect(result.voidTerms).toEqual(['a', 'mx', 'include:gone.example', 'exists:no.example']);
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
    ['v=spf1 redirect=%{d2}', 'unknown'],
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
    expect(walk(zone)).toMatchObject({ lookups: 1, effectiveAll: '-' });
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

  test('loops and depth end', () => {
    const loop = walk({
      'TXT example.com': txt('v=spf1 include:b.example -all'),
      'TXT b.example': txt('v=spf1 include:example.com -all'),
    });
    expect(loop.lookups).toBe(2);
    const deep = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`TXT d${i}`, txt(`v=spf1 include:d${i + 1} -all`)]),
    );
    expect(walk(deep, 'd0').lookups).toBe(11);
  });

  test('several records are none', () => {
    const zone = { 'TXT example.com': found(['v=spf1 a -all'], ['v=spf1 mx -all']) };
    expect(walk(zone)).toMatchObject({ lookups: 0, effectiveAll: null });
  });
});
