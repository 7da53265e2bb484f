/** Tests the evaluation of SPF for the sender of an email. */

import { expect, test } from 'vitest';
import type { DnsAnswer, Resolver } from '../../src/ports/dns.ts';
import { evaluateSpf } from '../support/mail/evaluate-spf.ts';

const answers = (zone: Readonly<Record<string, readonly unknown[] | string>>) => {
  const asked: string[] = [];
  const ask = async (name: string, type: string): Promise<DnsAnswer<unknown>> => {
    asked.push(`${type} ${name}`);
    const held = zone[`${type} ${name}`];
    if (typeof held === 'string') return { status: 'failed', error: held };
    return held
      ? { status: 'found', records: held, cnames: [] }
      : { status: 'nxdomain', cnames: [] };
  };
  return { asked, resolver: { ask } as unknown as Resolver };
};

const evaluate = (zone: Parameters<typeof answers>[0], identity = {}) => {
  const { resolver, asked } = answers(zone);
  const all = { ip: '192.0.2.1', helo: 'mail.example.com', localPart: 'a', domain: 'example.com' };
  return evaluateSpf({ ...all, ...identity }, resolver).then((said) => ({ ...said, asked }));
};

test.each([
  ['v=spf1 ip4:192.0.2.1 -all', 'pass'],
  ['v=spf1 -all', 'fail'],
  ['v=spf1 ~all', 'softfail'],
  ['v=spf1 ?all', 'neutral'],
  ['v=spf1', 'neutral'],
  ['v=spf1 foo -all', 'permerror'],
  ['other', 'none'],
])('%s gives %s', async (record, result) => {
  expect(await evaluate({ 'TXT example.com': [[record]] })).toMatchObject({ result, error: null });
});

test.each(['TIMEOUT', 'SERVFAIL', 'REFUSED', 'QUERY_LIMIT'])('%s is a temperror', async (error) => {
  expect(await evaluate({ 'TXT example.com': error })).toMatchObject({ result: 'temperror' });
});

test('too many lookups are named in our own words', async () => {
  const terms = Array.from({ length: 11 }, (_, i) => `a:%{l}${i}.example.com`);
  const zone = { 'TXT example.com': [[`v=spf1 ${terms.join(' ')} -all`]] };
  const found = Object.fromEntries(terms.map((_, i) => [`A a${i}.example.com`, ['192.0.2.9']]));
  expect(await evaluate({ ...zone, ...found })).toMatchObject({
    result: 'permerror',
    error: 'more than 10 lookups',
  });
});

test.each([
  ['_bounce.example.com', '_bounce.example.com'],
  ['a_b.example.com', 'a_b.example.com'],
  ['u95z_.example.com', 'u95z_.example.com'],
])('an underscore in %s is looked up unchanged', async (domain, name) => {
  const record = [['v=spf1 include:_spf.example.net exists:%{d}.x.example -all']];
  const zone = {
    [`TXT ${name}`]: record,
    'TXT _spf.example.net': [['v=spf1 ip4:192.0.2.9 -all']],
    [`A ${name}.x.example`]: ['127.0.0.2'],
  };
  const said = await evaluate(zone, { domain });
  expect(said.result).toBe('pass');
  expect(said.asked).toEqual([`TXT ${name}`, 'TXT _spf.example.net', `A ${name}.x.example`]);
});

test.each(['localhost', 'localhost.', '192.0.2.1', 'mail', 'bad\\032host.1'])(
  'RFC 7208 §5.4: the mail server %s does not match, and the next may',
  async (exchange) => {
    const hosts = [exchange, 'mail.example.com'].map((host) => ({ preference: 1, exchange: host }));
    const zone = {
      'TXT example.com': [['v=spf1 mx -all']],
      'MX example.com': hosts,
      'A mail.example.com': ['192.0.2.1'],
    };
    const said = await evaluate(zone);
    expect(said.result).toBe('pass');
    expect(said.asked).toContain(`A ${exchange.replace(/\.$/, '')}`);
  },
);

test.each(['bad..example.com', `${'x'.repeat(64)}.example.com`, '.'])(
  'a mail server %s cannot be looked up, and the next may match',
  async (exchange) => {
    const zone = {
      'TXT example.com': [['v=spf1 mx -all']],
      'MX example.com': [exchange, 'mail.example.com'].map((host) => ({
        preference: 1,
        exchange: host,
      })),
      'A mail.example.com': ['192.0.2.1'],
    };
    const said = await evaluate(zone);
    expect(said.result).toBe('pass');
    expect(said.asked).toEqual(['TXT example.com', 'MX example.com', 'A mail.example.com']);
  },
);

test('a mail server with one label may have an address', async () => {
  const zone = {
    'TXT example.com': [['v=spf1 mx -all']],
    'MX example.com': [{ preference: 1, exchange: 'ai.' }],
    'A ai': ['192.0.2.1'],
  };
  expect(await evaluate(zone)).toMatchObject({ result: 'pass' });
});

test('RFC 7208 §5.5: a reverse name with an underscore is under its domain', async () => {
  const zone = {
    'TXT a_b.example.com': [['v=spf1 ptr -all']],
    'PTR 1.2.0.192.in-addr.arpa': ['m_1.a_b.example.com'],
    'A m_1.a_b.example.com': ['192.0.2.1'],
  };
  expect(await evaluate(zone, { domain: 'a_b.example.com' })).toMatchObject({ result: 'pass' });
});

test('RFC 7208 §4.6.4: eleven mail servers of one term are not eleven lookups', async () => {
  const hosts = Array.from({ length: 11 }, (_, i) => ({
    preference: i,
    exchange: `m${i}.example.com`,
  }));
  const zone = { 'TXT example.com': [['v=spf1 mx -all']], 'MX example.com': hosts };
  expect(await evaluate(zone)).toMatchObject({
    result: 'permerror',
    error: 'more than 10 mail servers for one mx term',
  });
});

test('a null sender is the HELO name, underscores and all', async () => {
  const zone = { 'TXT _m.example.com': [['v=spf1 ip4:192.0.2.1 -all']] };
  const said = await evaluate(zone, { domain: '', localPart: '', helo: '_m.example.com' });
  expect(said.result).toBe('pass');
});

test.each(['[192.0.2.1]', 'localhost', '', '192.0.2.1'])('the HELO %j has no SPF', async (helo) => {
  expect(await evaluate({}, { domain: '', helo })).toMatchObject({ result: 'none' });
});
