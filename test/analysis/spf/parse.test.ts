/** Tests the parsing of SPF records and the faults it reports. */

import { describe, expect, test } from 'vitest';
import { correctRecord } from '../../../src/analysis/spf/correct.ts';
import { isSpfRecord, parseSpf } from '../../../src/analysis/spf/parse.ts';
import { lintSpf } from '../../../src/analysis/spf/syntax-checks.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

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

test('terms keep qualifier, name and value separate', () => {
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
    ['v=spf1 ip4:192.0.2.0/33 -all', 'ip4:192.0.2.0/33', ''],
    ['v=spf1 ip4:192.0.2.1/33 -all', 'ip4:192.0.2.1/33', 'ip4:192.0.2.1'],
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
    ['v=spf1 a:192.0.2.1 -all', 'a:192.0.2.1', 'ip4:192.0.2.1'],
    ['v=spf1 -mx:2001:db8::/32 -all', '-mx:2001:db8::/32', '-ip6:2001:db8::/32'],
    ['v=spf1 a:mail.example.com:25 -all', 'a:mail.example.com:25', 'a:mail.example.com'],
    ['v=spf1 a:https://example.com/ -all', 'a:https://example.com/', 'a:example.com'],
    ['v=spf1 mx/33 -all', 'mx/33', 'mx'],
    ['v=spf1 a:example.com/024 -all', 'a:example.com/024', 'a:example.com'],
    ['v=spf1 a//129 -all', 'a//129', 'a'],
    ['v=spf1 include:localhost -all', 'include:localhost', ''],
    ['v=spf1 exists:%{x}.example.com -all', 'exists:%{x}.example.com', ''],
    ['v=spf1 exists:%{d0}.example.com -all', 'exists:%{d0}.example.com', ''],
    ['v=spf1 exists:%{c}.example.com -all', 'exists:%{c}.example.com', ''],
    ['v=spf1 include:a.example\t-all', 'include:a.example\t-all', 'include:a.example -all'],
    ['v=spf1 ip4:192.0.2.1\u00a0 -all', 'ip4:192.0.2.1\u00a0', 'ip4:192.0.2.1'],
    ['v=spf1 mx -all,', '-all,', '-all'],
    ['v=spf1 ip6:::01.2.3.4 -all', 'ip6:::01.2.3.4', ''],
    ['v=spf1 x=% -all', 'x=%', ''],
    [
      'v=spf1 redirect=a.example redirect=b.example',
      'redirect=a.example redirect=b.example',
      'include:a.example include:b.example',
    ],
  ])('%j is broken', (record, bad, good) => {
    expect(lintSpf(record, 'example.com', false)).toContainEqual({ severity: 'fail', bad });
    expect(correctRecord(`v=spf1 ${bad}`)).toBe(`v=spf1 ${good}`.trim());
  });

  test.each([
    ['v=spf1 ptr -all', false, 'ptr'],
    ['v=spf1 ptr:%{p} -all', false, 'ptr:%{p}'],
    ['v=spf1 exists:%{P1r}.example.com -all', false, 'exists:%{P1r}.example.com'],
    ['v=spf1 mx a:%{p}/24//64 -all', false, 'a:%{p}/24//64'],
    ['v=spf1 redirect=%{p}.example.com', false, 'redirect=%{p}.example.com'],
    ['v=spf1 -all exp=%{p}.example.com', false, 'exp=%{p}.example.com'],
    ['v=spf1 ip4=192.0.2.1 -all', false, 'ip4=192.0.2.1'],
    ['V=SPF1 -all', false, 'V=SPF1'],
    ['v=spf1 -all', true, 'the SPF (type 99) record of example.com'],
  ])('%s (type 99: %s) only leads to a warning', (record, hasType99, bad) => {
    expect(lintSpf(record, 'example.com', hasType99)).toMatchObject([{ severity: 'warn', bad }]);
  });

  test.each([
    [450, 0],
    [451, 1],
  ])('a record of %i octets gives %i warnings', (length, count) => {
    const [head, tail] = ['v=spf1 include:', '.example -all'];
    const record = `${head}${'x'.repeat(length - head.length - tail.length)}${tail}`;
    expect(lintSpf(record, 'example.com', false)).toHaveLength(count);
  });

  test.each([
    'v=spf1 a mx ip4:192.0.2.0/24 ip6:2001:db8::/32 exists:%{i}.example.com -all',
    'v=spf1 redirect=_spf.example.com',
    'v=spf1 exists:%%{p}.example.com unknown=%{p} -all',
    'v=spf1 -all exp=explain.example.com unknown-modifier=x',
    'v=spf1 ip6:::ffff:192.0.2.1 ~all',
    'v=spf1 A:MAIL.example.com./24//64 mx/0//0 exists:%{L1R+}.%{ir}.a-b.example %{d}=x -all'.replace(
      '%{d}',
      'd',
    ),
    'v=spf1 exists:%{ir}.%{v}._spf.%{d2} include:%{o} moo.cow-far_out=%{c}%%%_%-/ ~all',
  ])('%s is clean', (record) => {
    expect(lintSpf(record, 'example.com', false)).toEqual([]);
  });
});

test.each([
  ['a run of dots', `include:${'.'.repeat(300_000)}9`],
  ['as many terms as an answer holds', 'x '.repeat(100_000)],
])('%s is read without delay', (_, terms) => {
  const { ms } = cpuTime(() => lintSpf(`v=spf1 ${terms} -all`, 'example.com', false));
  expect(ms).toBeLessThan(1000);
});
