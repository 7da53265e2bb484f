/**
 * Tests the DNS resolver against a server on loopback: records, aliases, failures, repeated
 * queries, caching and limits.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import dnsPacket from 'dns-packet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';

const zone = {
  'example.com': {
    A: ['192.0.2.25'],
    AAAA: ['2001:db8::25'],
    MX: ['10 mail.example.com'],
    TXT: [['v=spf1 ', '-all'], 'other'],
    SPF: ['v=spf1 +all'],
    NS: ['ns.example.com'],
  },
  'null.example.com': { MX: ['0 .'] },
  'long.example.com': { TXT: ['y'.repeat(60_000)] },
  'alias.example.com': { CNAME: 'alias2.example.com' },
  'alias2.example.com': { CNAME: 'Example.com' },
  'lost.example.com': { CNAME: 'nowhere.example.com' },
  '25.2.0.192.in-addr.arpa': { PTR: ['mail.example.com'] },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`c${i}.example.com`, { CNAME: `c${i + 1}.example.com` }]),
  ),
  'c12.example.com': { A: ['192.0.2.1'] },
};

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer({ zone });
});
afterAll(() => server.stop());
beforeEach(() => server.setDelay(0));

const create = (options = {}) =>
  createNewResolver({ servers: [server.address], timeoutMs: 5000, ...options })();

/** Time limit in milliseconds for questions that get no answer. */
const impatient = { timeoutMs: 150 };

test('records arrive as they are published', async () => {
  const dns = create();
  const none = { cnames: [] };
  expect(await dns.txt('Example.com.')).toEqual({
    status: 'found',
    records: [['v=spf1 ', '-all'], ['other']],
    ...none,
  });
  expect(await dns.txt('example.com', 'SPF')).toMatchObject({ records: [['v=spf1 +all']] });
  expect(await dns.addresses('example.com', 'A')).toMatchObject({ records: ['192.0.2.25'] });
  expect(await dns.addresses('example.com', 'AAAA')).toMatchObject({ records: ['2001:db8::25'] });
  expect(await dns.mx('example.com')).toMatchObject({
    records: [{ preference: 10, exchange: 'mail.example.com' }],
  });
  expect(await dns.mx('null.example.com')).toMatchObject({ records: [{ exchange: '' }] });
  expect(await dns.names('25.2.0.192.in-addr.arpa', 'PTR')).toMatchObject({
    records: ['mail.example.com'],
  });
  expect(await dns.names('.', 'NS')).toMatchObject({ status: 'found' });
});

test('an answer of 60 KB comes over TCP', async () => {
  const answer = await create().txt('long.example.com');
  expect(answer.status === 'found' && answer.records[0]?.join('').length).toBe(60_000);
});

test('aliases are followed and reported, even to a name that does not exist', async () => {
  const dns = create();
  expect(await dns.addresses('alias.example.com', 'A')).toEqual({
    status: 'found',
    records: ['192.0.2.25'],
    cnames: ['alias2.example.com', 'example.com'],
  });
  expect(await dns.addresses('lost.example.com', 'A')).toEqual({
    status: 'nxdomain',
    cnames: ['nowhere.example.com'],
  });
  expect(await dns.names('alias.example.com', 'CNAME')).toMatchObject({
    records: ['alias2.example.com'],
  });
  expect(await dns.addresses('c4.example.com', 'A')).toMatchObject({ status: 'found' });
  expect(await dns.addresses('c3.example.com', 'A')).toEqual({
    status: 'failed',
    error: 'CNAME_CHAIN',
  });
});

test('absent and unknown are told apart', async () => {
  const dns = create();
  expect(await dns.txt('nowhere.example.com')).toEqual({ status: 'nxdomain', cnames: [] });
  expect(await dns.txt('in-addr.arpa')).toEqual({ status: 'nodata', cnames: [] });
  expect(await dns.txt(`${'x'.repeat(64)}.example.com`)).toMatchObject({ status: 'nxdomain' });
  expect(await dns.txt('a..example.com')).toMatchObject({ status: 'nxdomain' });
  for (const fault of ['SERVFAIL', 'REFUSED', 'TIMEOUT'] as const) {
    server.setFault('faulty.example.com', fault);
    const dns = create(fault === 'TIMEOUT' ? impatient : {});
    expect(await dns.txt('faulty.example.com')).toEqual({
      status: 'failed',
      error: fault,
    });
  }
});

test('a query is repeated after silence, but after a failure only without validation', async () => {
  const asked = () => server.queries.filter(({ name }) => name === 'again.example.com').length;
  server.setFault('again.example.com', 'SERVFAIL');
  await create().txt('again.example.com');
  expect(asked()).toBe(2);
  server.setFault('again.example.com', 'TIMEOUT');
  await create(impatient).txt('again.example.com');
  expect(asked()).toBe(4);
});

test('a second server is asked if the first does not know', async () => {
  const other = await startDnsServer({ zone: { 'second.example.com': { A: ['192.0.2.2'] } } });
  server.setFault('second.example.com', 'SERVFAIL');
  const dns = create({ servers: [server.address, other.address] });
  expect(await dns.addresses('second.example.com', 'A')).toMatchObject({ records: ['192.0.2.2'] });
  await other.stop();
});

test('a server without EDNS is asked without it', async () => {
  server.setFault('example.com', 'FORMERR');
  expect(await create().addresses('example.com', 'A')).toMatchObject({ records: ['192.0.2.25'] });
  server.setFault('example.com', null);
});

test.each(['255.255.255.255:53', '[fe80::1]:53'])(
  '%s, where nothing can be sent, is a failure',
  async (address) => {
    const answer = await create({ servers: [address] }).txt('example.com');
    expect(answer.status).toBe('failed');
  },
);

test('having no server at all is a failure like any other', async () => {
  const gone = await startDnsServer({ zone: {} });
  await gone.stop();
  const dns = create({ servers: [gone.address] });
  expect(await dns.txt('example.com')).toEqual({ status: 'failed', error: 'UNREACHABLE' });
});

test('each query is sent once, and every view asks anew', async () => {
  const before = server.queries.length;
  const dns = create();
  await Promise.all([dns.txt('once.example.com'), dns.txt('ONCE.example.com.')]);
  await dns.txt('once.example.com');
  expect(server.queries.length - before).toBe(1);
  expect(dns.trace).toMatchObject([{ name: 'once.example.com', type: 'TXT', outcome: 'nxdomain' }]);
  await create().txt('once.example.com');
  expect(server.queries.length - before).toBe(2);
});

test('an answer stays as it is', async () => {
  const dns = create();
  const answer = await dns.mx('example.com');
  expect(() => {
    if (answer.status === 'found') (answer.records as unknown[]).pop();
  }).toThrow(TypeError);
});

test('questions over the limit are not asked', async () => {
  const dns = create({ maxQueries: 1 });
  expect(await dns.txt('example.com')).toMatchObject({ status: 'found' });
  expect(await dns.mx('example.com')).toEqual({ status: 'failed', error: 'QUERY_LIMIT' });
});

test('questions over the limit of concurrent ones wait for their turn', async () => {
  server.setDelay(20);
  const dns = create({ maxInFlight: 2 });
  const before = server.queries.length;
  const all = Array.from({ length: 7 }, (_, i) => dns.txt(`turn${i}.example.com`));
  await Promise.race(all);
  expect(server.queries.length - before).toBeLessThanOrEqual(4);
  await Promise.all(all);
  expect(server.queries.length - before).toBe(7);
});

/**
 * Starts a validating resolver that says no more than SERVFAIL. `holds` says whether it answers without a
 * check.
 */
async function startValidator(holds: (name: string) => boolean) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [], flag_cd } = dnsPacket.decode(message) as dnsPacket.DecodedPacket;
    const name = questions[0]?.name ?? '';
    const isAnswered = flag_cd && holds(name);
    const answers: dnsPacket.Answer[] = isAnswered ? [{ type: 'A', name, data: '192.0.2.25' }] : [];
    const reply = { type: 'response', id, flags: isAnswered ? 0 : 2, questions, answers } as const;
    socket.send(dnsPacket.encode(reply), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

test('an answer that comes only without validation is bogus', async () => {
  const validator = await startValidator((name) => name.startsWith('bogus'));
  const dns = createNewResolver({ servers: [validator.address], timeoutMs: 5000 })();
  expect(await dns.addresses('bogus.example.com', 'A')).toEqual({
    status: 'failed',
    error: 'BOGUS',
  });
  expect(await dns.addresses('broken.example.com', 'A')).toEqual({
    status: 'failed',
    error: 'SERVFAIL',
  });
  validator.stop();
});
