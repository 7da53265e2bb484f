/** Tests the DNS server that the demo and the tests use. */

import { Resolver } from 'node:dns/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from './dns-server.ts';

const long = 'x'.repeat(5_000);
const zone = {
  'example.com': {
    A: ['192.0.2.25'],
    AAAA: ['2001:db8::25'],
    MX: ['10 mail.example.com', '20 mail2.example.com'],
    TXT: ['v=spf1 -all', ['two ', 'strings']],
    NS: ['ns.example.com'],
    SPF: ['v=spf1 -all'],
  },
  'long.example.com': { TXT: [long] },
  'null.example.com': { MX: ['0 .'] },
  'alias.example.com': { CNAME: 'alias2.example.com' },
  'alias2.example.com': { CNAME: 'example.com' },
  'lost.example.com': { CNAME: 'nowhere.example.com' },
  'a.loop.example.com': { CNAME: 'b.loop.example.com' },
  'b.loop.example.com': { CNAME: 'a.loop.example.com' },
  'deep.below.example.com': { A: ['192.0.2.26'] },
  '25.2.0.192.in-addr.arpa': { PTR: ['example.com'] },
} as const;

let server: DnsServer;
let resolver: Resolver;
beforeEach(async () => {
  server = await startDnsServer({ zone });
  resolver = new Resolver({ timeout: 5000, tries: 1 });
  resolver.setServers([server.address]);
});
afterEach(() => server.stop());

const code = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code,
  );

test('every requested type is answered', async () => {
  expect(await resolver.resolve4('Example.COM')).toEqual(['192.0.2.25']);
  expect(await resolver.resolve6('example.com')).toEqual(['2001:db8::25']);
  expect(await resolver.resolveTxt('example.com')).toEqual([['v=spf1 -all'], ['two ', 'strings']]);
  expect(await resolver.resolveNs('example.com')).toEqual(['ns.example.com']);
  expect(await resolver.resolvePtr('25.2.0.192.in-addr.arpa')).toEqual(['example.com']);
  expect(await resolver.resolveMx('null.example.com')).toMatchObject([{ exchange: '' }]);
  expect(await resolver.resolve4('alias.example.com')).toEqual(['192.0.2.25']);
  expect(await resolver.resolveCname('alias.example.com')).toEqual(['alias2.example.com']);
  expect(await resolver.resolveNs('.')).toHaveLength(1);
});

test('an answer too long for UDP comes over TCP', async () => {
  const [strings] = await resolver.resolveTxt('long.example.com');
  expect(strings?.every((part) => part.length <= 255)).toBe(true);
  expect(strings?.join('')).toBe(long);
});

test('no such name, no such record and no answer are told apart', async () => {
  expect(await code(resolver.resolve4('nowhere.example.com'))).toBe('ENOTFOUND');
  expect(await code(resolver.resolve4('lost.example.com'))).toBe('ENOTFOUND');
  expect(await code(resolver.resolvePtr('example.com'))).toBe('ENODATA');
  expect(await code(resolver.resolve4('below.example.com'))).toBe('ENODATA');
  expect(await code(resolver.resolve4('a.loop.example.com'))).toBe('ESERVFAIL');

  server.setFault('example.com', 'SERVFAIL');
  expect(await code(resolver.resolve4('example.com'))).toBe('ESERVFAIL');
  server.setFault('example.com', 'REFUSED');
  expect(await code(resolver.resolve4('example.com'))).toBe('EREFUSED');
  server.setFault('example.com', 'TIMEOUT');
  const impatient = new Resolver({ timeout: 150, tries: 1 });
  impatient.setServers([server.address]);
  expect(await code(impatient.resolve4('example.com'))).toBe('ETIMEOUT');
  server.setFault('example.com', null);
  expect(await code(resolver.resolve4('example.com'))).toBe('answered');
  server.setFault('*', 'SERVFAIL');
  expect(await code(resolver.resolveNs('.'))).toBe('ESERVFAIL');
});

test('a wildcard answers for names below the last parent that exists, and for nothing that does', async () => {
  server.setZone({
    ...zone,
    '*.example.com': { A: ['192.0.2.80'], TXT: ['any'] },
    '_dmarc.alias.below.example.com': { TXT: ['own'] },
  });
  expect(await resolver.resolve4('any.example.com')).toEqual(['192.0.2.80']);
  expect(await resolver.resolveTxt('two.any.example.com')).toEqual([['any']]);
  expect(await code(resolver.resolveMx('any.example.com'))).toBe('ENODATA');
  expect(await code(resolver.resolve4('deep.below.example.com'))).toBe('answered');
  // Below a name that exists, the wildcard above it does not apply (RFC 4592 §2.2.1).
  expect(await code(resolver.resolve4('other.below.example.com'))).toBe('ENOTFOUND');
  expect(await code(resolver.resolveTxt('alias.below.example.com'))).toBe('ENODATA');
});

test('the zone can change, and every question is counted', async () => {
  server.setZone({ 'example.com': { A: ['192.0.2.99'] } });
  expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.99']);
  expect(server.queries).toEqual([{ name: 'example.com', type: 'A' }]);
});

test('a delay holds the answer back', async () => {
  server.setDelay(40);
  const before = performance.now();
  await resolver.resolve4('example.com');
  // Timers may fire a millisecond early.
  expect(performance.now() - before).toBeGreaterThanOrEqual(38);
});
