/** Tests the queries to DNS blocklists, and how lists that do not work are detected. */

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBlocklists } from '../../src/inspection/blocklists.ts';
import type { DnsAnswer, Resolver } from '../../src/ports/dns.ts';
import { elapse } from '../support/process/elapse.ts';

const right = {
  '2.0.0.127.bl.spamcop.net': ['127.0.0.2'],
  '2.0.0.127.psbl.surriel.com': ['127.0.0.2'],
  '2.0.0.127.zen.spamhaus.org': ['127.0.0.2', '127.0.0.4'],
  '2.0.0.127.list.example': ['127.0.0.2'],
};

const setUp = (
  zone: Record<string, readonly string[] | string>,
  lists = ['psbl.surriel.com'],
  dnsbls: readonly string[] = [],
) => {
  const asked: string[] = [];
  const starved: string[] = [];
  const resolver = {
    starve: () => starved.push('starved'),
    addresses: async (name: string): Promise<DnsAnswer<string>> => {
      asked.push(name);
      const held = zone[name];
      if (held === 'SILENT') await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (typeof held === 'string') return { status: 'failed', error: held };
      return held
        ? { status: 'found', records: held, cnames: [] }
        : { status: 'nxdomain', cnames: [] };
    },
  } as unknown as Resolver;
  const blocklists = createBlocklists({
    newResolver: () => resolver,
    refusalBlocklists: lists,
    dnsbls,
  });
  return {
    asked,
    starved,
    spamcop: (ip: string | null) => blocklists.spamcop(resolver, ip),
    refusing: (ip: string | null) => blocklists.refusing(resolver, ip),
    configured: (ip: string | null) => blocklists.configured(resolver, ip),
    ofDomain: (domain: string) => blocklists.ofDomain(resolver, domain),
  };
};

const known = (value: string) => ({ status: 'known', value });

test.each<[string | null, object]>([
  ['192.0.2.1', known('not_listed')],
  ['192.0.2.9', known('listed')],
  ['::ffff:192.0.2.9', known('listed')],
  ['192.0.2.8', { status: 'unknown' }],
  ['192.0.2.7', { status: 'unknown' }],
  ['2001:db8::1', known('not_applicable')],
  ['127.0.0.1', known('not_applicable')],
  ['10.0.0.1', known('not_applicable')],
  ['169.254.1.1', known('not_applicable')],
  [null, { status: 'unknown' }],
])('SpamCop and %s', async (ip, expected) => {
  const lists = setUp({
    ...right,
    '9.2.0.192.bl.spamcop.net': ['127.0.0.2'],
    '8.2.0.192.bl.spamcop.net': ['127.0.0.3'],
    '7.2.0.192.bl.spamcop.net': 'SERVFAIL',
  });
  expect(await lists.spamcop(ip)).toMatchObject(expected);
});

test('no list is asked about private addresses', async () => {
  const lists = setUp(right);
  expect(await lists.refusing('192.168.1.1')).toEqual([]);
  expect(await lists.spamcop('::1')).toEqual(known('not_applicable'));
  expect(lists.asked).toEqual([]);
});

test.each([
  ['answers everything', { '1.0.0.127.bl.spamcop.net': ['127.0.0.2'] }],
  ['answers nothing', { '2.0.0.127.bl.spamcop.net': [] }],
  ['is silent', { '2.0.0.127.bl.spamcop.net': 'TIMEOUT' }],
  ['lists by another code', { '2.0.0.127.bl.spamcop.net': ['203.0.113.1'] }],
])('a list that %s is not trusted (RFC 5782 §5)', async (_, points) => {
  const lists = setUp({ ...right, '9.2.0.192.bl.spamcop.net': ['127.0.0.2'], ...points });
  expect(await lists.spamcop('192.0.2.9')).toMatchObject({ status: 'unknown' });
});

test('test points are checked once an hour, or again if they failed', async () => {
  const zone: Record<string, readonly string[] | string> = { ...right };
  const lists = setUp(zone);
  const looks = () => lists.asked.filter((name) => name.startsWith('2.0.0.127.')).length;
  await lists.spamcop('192.0.2.1');
  await lists.spamcop('192.0.2.2');
  expect(looks()).toBe(1);
  elapse(60 * 60 * 1000);
  zone['2.0.0.127.bl.spamcop.net'] = 'TIMEOUT';
  await lists.spamcop('192.0.2.1');
  expect(looks()).toBe(2);
  zone['2.0.0.127.bl.spamcop.net'] = ['127.0.0.2'];
  expect(await lists.spamcop('192.0.2.1')).toEqual(known('not_listed'));
  expect(looks()).toBe(3);
});

test.each<[string, string, readonly string[] | string | undefined, string]>([
  ['psbl.surriel.com', '192.0.2.1', undefined, 'not_listed'],
  ['psbl.surriel.com', '192.0.2.1', ['127.0.0.2'], 'listed'],
  ['psbl.surriel.com', '192.0.2.1', ['127.0.0.9'], 'unavailable'],
  ['psbl.surriel.com', '192.0.2.1', 'SERVFAIL', 'unavailable'],
  ['zen.spamhaus.org', '192.0.2.1', ['127.0.0.11'], 'listed'],
  ['zen.spamhaus.org', '192.0.2.1', ['127.255.255.254'], 'unavailable'],
  ['list.example', '192.0.2.1', ['127.0.0.77'], 'listed'],
  ['list.example', '192.0.2.1', ['127.255.255.252'], 'unavailable'],
  ['list.example', '192.0.2.1', ['203.0.113.1'], 'unavailable'],
])('%s answers for %s with %j: %s', async (list, ip, held, status) => {
  const lists = setUp({ ...right, ...(held && { [`1.2.0.192.${list}`]: held }) }, [list]);
  expect(await lists.refusing(ip)).toMatchObject([{ list, status }]);
});

test('lists that cover IPv6 are asked about it, in nibbles', async () => {
  const nibbles = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2`;
  const zone = { ...right, [`${nibbles}.zen.spamhaus.org`]: ['127.0.0.3'] };
  const lists = setUp(zone, ['zen.spamhaus.org', 'psbl.surriel.com']);
  expect(await lists.refusing('2001:db8::1')).toMatchObject([
    { list: 'zen.spamhaus.org', status: 'listed', removal_url: 'https://check.spamhaus.org/' },
  ]);
});

const KEYED = 'abcdefghijkl0123.zen.dq.spamhaus.net';

describe('the lists of DNSBLS', () => {
  test.each<[string, readonly string[] | string | undefined, string]>([
    ['zen.spamhaus.org', undefined, 'not_listed'],
    ['zen.spamhaus.org', ['127.0.0.10'], 'listed'],
    ['zen.spamhaus.org', ['127.0.0.2', '127.0.0.99'], 'listed'],
    ['zen.spamhaus.org', ['127.0.0.99'], 'unavailable'],
    ['zen.spamhaus.org', ['127.255.255.254'], 'unavailable'],
    ['zen.spamhaus.org', 'SERVFAIL', 'unavailable'],
    ['bl.mailspike.net', ['127.0.0.11'], 'listed'],
    ['bl.mailspike.net', ['127.0.0.19'], 'unavailable'],
    ['b.barracudacentral.org', ['127.0.0.2'], 'listed'],
    ['b.barracudacentral.org', ['127.0.0.3'], 'unavailable'],
    ['psbl.surriel.com', ['127.0.0.2'], 'listed'],
    ['psbl.surriel.com', ['127.0.0.4'], 'unavailable'],
    ...['252', '254', '255'].flatMap((octet): [string, string[], string][] =>
      ['zen.spamhaus.org', 'b.barracudacentral.org', 'psbl.surriel.com', 'bl.mailspike.net'].map(
        (list) => [list, [`127.255.255.${octet}`], 'unavailable'],
      ),
    ),
  ])('%s with %j: %s', async (list, held, status) => {
    const points = { [`2.0.0.127.${list}`]: ['127.0.0.2'] };
    const zone = { ...points, ...(held && { [`1.2.0.192.${list}`]: held }) };
    const lists = setUp(zone, [], [list]);
    expect(await lists.configured('192.0.2.1')).toMatchObject([{ list, status }]);
  });

  test('refuse no email', async () => {
    const zone = { ...right, '1.2.0.192.zen.spamhaus.org': ['127.0.0.2'] };
    const lists = setUp(zone, ['psbl.surriel.com'], ['zen.spamhaus.org']);
    expect(await lists.refusing('192.0.2.1')).toMatchObject([{ status: 'not_listed' }]);
  });

  test('show no name that contains the operator’s key', async () => {
    const zone = { [`2.0.0.127.${KEYED}`]: ['127.0.0.2'], [`1.2.0.192.${KEYED}`]: ['127.0.0.4'] };
    const lists = setUp(zone, [], [KEYED]);
    const found = await lists.configured('192.0.2.1');
    expect(found).toMatchObject([{ list: 'zen.spamhaus.org', status: 'listed' }]);
    expect(JSON.stringify(found)).not.toContain('abcdefghijkl');
  });

  test('are asked about IPv6 in nibbles, and only if they cover it', async () => {
    const lists = setUp(right, [], ['zen.spamhaus.org', 'bl.mailspike.net']);
    expect(await lists.configured('2001:db8::1')).toMatchObject([{ list: 'zen.spamhaus.org' }]);
    expect(lists.asked).toContain(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.zen.spamhaus.org`);
  });
});

describe('the domain lists in DNSBLS', () => {
  const POINTS = {
    'dbltest.com.dbl.spamhaus.org': ['127.0.1.2'],
    'surbl-org-permanent-test-point.com.multi.surbl.org': ['127.0.0.254'],
    'test.uribl.com.multi.uribl.com': ['127.0.0.14'],
  };

  test.each<[string, readonly string[] | string | undefined, string]>([
    ['dbl.spamhaus.org', undefined, 'not_listed'],
    ['dbl.spamhaus.org', ['127.0.1.2'], 'listed'],
    ['dbl.spamhaus.org', ['127.0.1.106'], 'listed'],
    ['dbl.spamhaus.org', ['127.0.1.255'], 'unavailable'],
    ['dbl.spamhaus.org', ['127.0.0.2'], 'unavailable'],
    ['dbl.spamhaus.org', ['127.255.255.252'], 'unavailable'],
    ['dbl.spamhaus.org', 'SERVFAIL', 'unavailable'],
    ['multi.surbl.org', ['127.0.0.8'], 'listed'],
    ['multi.surbl.org', ['127.0.0.80'], 'listed'],
    ['multi.surbl.org', ['127.0.0.1'], 'unavailable'],
    ['multi.surbl.org', ['127.0.0.4'], 'unavailable'],
    ['multi.uribl.com', ['127.0.0.6'], 'listed'],
    ['multi.uribl.com', ['127.0.0.1'], 'unavailable'],
    ['multi.uribl.com', ['127.255.255.254'], 'unavailable'],
  ])('%s with %j: %s', async (list, held, status) => {
    const zone = { ...POINTS, ...(held && { [`shop.example.${list}`]: held }) };
    const lists = setUp(zone, [], [list]);
    expect(await lists.ofDomain('shop.example')).toMatchObject([{ list, status }]);
  });

  test.each([
    ['does not hold its test entry', { 'dbltest.com.dbl.spamhaus.org': [] }],
    ['refuses it', { 'dbltest.com.dbl.spamhaus.org': ['127.255.255.254'] }],
    ['holds everything', { 'invalid.dbl.spamhaus.org': ['127.0.1.2'] }],
  ])('are not trusted if one %s', async (_, points) => {
    const zone = { ...POINTS, 'shop.example.dbl.spamhaus.org': ['127.0.1.2'], ...points };
    const lists = setUp(zone, [], ['dbl.spamhaus.org']);
    expect(await lists.ofDomain('shop.example')).toMatchObject([{ status: 'unavailable' }]);
  });

  test('are asked for their test entry before the first email, and about no address', async () => {
    const lists = setUp(POINTS, [], ['dbl.spamhaus.org', 'zen.spamhaus.org']);
    const wanted = ['dbltest.com.dbl.spamhaus.org', 'invalid.dbl.spamhaus.org'];
    expect(lists.asked).toEqual(wanted);
    await lists.configured('192.0.2.1');
    expect(lists.asked.filter((name) => name.endsWith('dbl.spamhaus.org'))).toEqual(wanted);
  });

  test('show no name that contains the operator’s key', async () => {
    const keyed = 'abcdefghijkl0123.dbl.dq.spamhaus.net';
    const zone = {
      [`dbltest.com.${keyed}`]: ['127.0.1.2'],
      [`shop.example.${keyed}`]: ['127.0.1.5'],
    };
    const found = await setUp(zone, [], [keyed]).ofDomain('shop.example');
    expect(found).toMatchObject([{ list: 'dbl.spamhaus.org', status: 'listed' }]);
    expect(JSON.stringify(found)).not.toContain('abcdefghijkl');
  });
});

test('a silent list does not keep others from being used', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const zone = {
    ...right,
    '1.2.0.192.psbl.surriel.com': ['127.0.0.2'],
    '1.2.0.192.zen.spamhaus.org': 'SILENT',
  };
  const found = setUp(zone, ['zen.spamhaus.org', 'psbl.surriel.com']).refusing('192.0.2.1');
  await vi.advanceTimersByTimeAsync(10_000);
  const soon = new Promise((resolve) => setImmediate(setImmediate, resolve));
  expect(await Promise.race([found, soon])).toMatchObject([
    { list: 'zen.spamhaus.org', status: 'unavailable' },
    { list: 'psbl.surriel.com', status: 'listed' },
  ]);
});

test('a list whose test points could not be checked because of us starves the email, and is asked again', async () => {
  const zone: Record<string, readonly string[] | string> = {
    ...right,
    '2.0.0.127.psbl.surriel.com': 'OVERLOADED',
  };
  const { refusing, starved } = setUp(zone);
  await refusing('192.0.2.1');
  expect(starved).toHaveLength(1);
  Object.assign(zone, right);
  expect(await refusing('192.0.2.1')).toMatchObject([{ status: 'not_listed' }]);
  expect(starved).toHaveLength(1);
});
