/** Tests the correction of the sender's other SPF records, to which the sender's own record leads. */

import { expect, test } from 'vitest';
import { checkHost } from '../../src/adapters/mailauth/check-host.ts';
import { aboutOf, lookUpSpf } from '../../src/inspection/spf.ts';
import type { DnsAnswer, Resolver } from '../../src/ports/dns.ts';

/** TXT records by name; a name with `cname` is an alias. */
type Texts = Readonly<Record<string, readonly (string | readonly string[])[]>>;
type Aliases = Readonly<Record<string, string>>;

/** Returns the corrected records by name, and what the whole record then leads to. */
async function repair(texts: Texts, aliases: Aliases = {}) {
  const txt = async (name: string): Promise<DnsAnswer<readonly string[]>> => {
    const target = aliases[name];
    const cnames = target === undefined ? [] : [target];
    const records = texts[target ?? name]?.map((one) => [one].flat());
    return records ? { status: 'found', records, cnames } : { status: 'nxdomain', cnames };
  };
  const ask = async (name: string, type: string): Promise<DnsAnswer<unknown>> =>
    type === 'TXT' ? txt(name) : { status: 'nxdomain', cnames: [] };
  const resolver = {
    ask,
    txt: (name: string, type?: string) => (type === 'SPF' ? ask(name, 'SPF') : txt(name)),
  } as unknown as Resolver;
  const sender = { ip: '192.0.2.25', helo: null, localPart: 'news', domain: 'example.com' };
  const spf = await lookUpSpf(resolver, aboutOf({ checkHost, resolver }, sender), {
    nullSender: false,
    helo: null,
  });
  if (spf.status === 'unknown') throw new Error(spf.error);
  const { repairs = [], corrected } = spf.value;
  return {
    repaired: Object.fromEntries(repairs.map(({ name, record }) => [name, record])),
    left: corrected?.brokenTerms.map(({ term }) => term) ?? [],
    result: [...(spf.value.trials?.values() ?? [])].at(-1)?.result,
  };
}

const OWN = ['v=spf1 include:_spf.example.com -all'];

test.each<[about: string, texts: Texts, repaired: Readonly<Record<string, string>>]>([
  [
    'a typo behind include:',
    { 'example.com': OWN, '_spf.example.com': ['v=spf1 ipv4:192.0.2.25, mx -all'] },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 mx -all' },
  ],
  [
    'a typo behind redirect=',
    {
      'example.com': ['v=spf1 redirect=_spf.example.com'],
      '_spf.example.com': ['v=spf1 ip4:192.0.2.25; -all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    'two records at one name',
    {
      'example.com': OWN,
      '_spf.example.com': ['v=spf1 ip4:192.0.2.25 -all', 'v=spf1 ip4:192.0.2.1 ~all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 ip4:192.0.2.1 ~all' },
  ],
  [
    'a text that receivers do not accept as a record',
    { 'example.com': OWN, '_spf.example.com': ['v=spf1;ip4:192.0.2.25 -all'] },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    'strings without a space between them',
    {
      'example.com': OWN,
      '_spf.example.com': [['v=spf1 ip4:192.0.2.25', 'ip4:192.0.2.1 -all']],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 ip4:192.0.2.1 -all' },
  ],
  [
    'typos at two levels',
    {
      'example.com': OWN,
      '_spf.example.com': ['v=spf1 include:_spf1.example.com, -all'],
      '_spf1.example.com': ['v=spf1 ip4:192.0.2.25, -all'],
    },
    {
      '_spf.example.com': 'v=spf1 include:_spf1.example.com -all',
      '_spf1.example.com': 'v=spf1 ip4:192.0.2.25 -all',
    },
  ],
  [
    'a term that leads to a faulty record of a service',
    {
      'example.com': OWN,
      '_spf.example.com': ['v=spf1 include:spf.example.net ip4:192.0.2.25 -all'],
      'spf.example.net': ['v=spf1 ip4:192.0.2.300 -all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    'a term that leads back to the sender',
    {
      'example.com': OWN,
      '_spf.example.com': ['v=spf1 include:example.com ip4:192.0.2.25 -all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    'three hosts without an address',
    {
      'example.com': OWN,
      '_spf.example.com': ['v=spf1 a:a.example a:b.example mx:c.example ip4:192.0.2.25 -all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    'a host without an address, if the record above has two more',
    {
      'example.com': ['v=spf1 a:a.example a:b.example include:_spf.example.com -all'],
      '_spf.example.com': ['v=spf1 a:c.example ip4:192.0.2.25 -all'],
    },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 -all' },
  ],
  [
    '+all',
    { 'example.com': OWN, '_spf.example.com': ['v=spf1 ip4:192.0.2.25 +all'] },
    { '_spf.example.com': 'v=spf1 ip4:192.0.2.25 ~all' },
  ],
])('%s is corrected where it is', async (_, texts, repaired) => {
  expect(await repair(texts)).toEqual({ repaired, left: [], result: 'pass' });
});

test.each<[about: string, texts: Texts, aliases?: Aliases]>([
  [
    'with two hosts without an address, which receivers allow',
    { 'example.com': OWN, '_spf.example.com': ['v=spf1 a:a.example a:b.example -all'] },
  ],
  ['of a service', { 'example.com': ['v=spf1 include:spf.example.net -all'] }],
  [
    'of a service under an alias',
    { 'example.com': OWN },
    { '_spf.example.com': 'spf.example.net' },
  ],
  [
    'below a record of a service',
    {
      'example.com': ['v=spf1 include:ok.example.net -all'],
      'ok.example.net': ['v=spf1 include:_spf.example.com include:spf.example.net -all'],
      '_spf.example.com': ['v=spf1 ip4:192.0.2.1, -all'],
    },
  ],
  [
    'at a name made from the email',
    {
      'example.com': ['v=spf1 include:%{l}.example.com -all'],
      'news.example.com': ['v=spf1 ip4:192.0.2.1, -all'],
    },
  ],
])('a faulty record %s is not the sender’s to correct', async (_, texts, aliases) => {
  const all = { 'spf.example.net': ['v=spf1 ip4:192.0.2.300 -all'], ...texts };
  expect((await repair(all, aliases)).repaired).toEqual({});
});

test('an own record behind an alias is corrected at the end of the alias', async () => {
  const texts = { 'example.com': OWN, 'hosts.example.com': ['v=spf1 ip4:192.0.2.25, -all'] };
  const { repaired, result } = await repair(texts, { '_spf.example.com': 'hosts.example.com' });
  expect(repaired).toEqual({ 'hosts.example.com': 'v=spf1 ip4:192.0.2.25 -all' });
  expect(result).toBe('pass');
});
