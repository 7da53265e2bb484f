/** Tests the default limits of the DNS resolver: queries per email, concurrency, time-outs and tries. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer({ zone: {} });
});
afterAll(() => server.stop());

const names = (n: number) => Array.from({ length: n }, (_, i) => `n${i}.example.com`);

test('no more than 300 questions are asked about one email', async () => {
  const ample = { timeoutMs: 10_000, maxWaitMs: 60_000 };
  const dns = createNewResolver({ servers: [server.address], ...ample })();
  const before = server.queries.length;
  const answers = await Promise.all(names(301).map((name) => dns.txt(name)));
  expect(answers.slice(0, 300).map(({ status }) => status)).toEqual(Array(300).fill('nxdomain'));
  expect(answers[300]).toEqual({ status: 'failed', error: 'QUERY_LIMIT' });
  expect(server.queries.length - before).toBe(300);
});

test('32 questions about one email are in progress at once, and each is tried twice for 2 s', async () => {
  server.setFault('*', 'TIMEOUT');
  const before = server.queries.length;
  const asked = () => server.queries.length - before;
  const dns = createNewResolver({ servers: [server.address] })();
  const begin = performance.now();
  const all = names(33).map((name) => dns.txt(name));
  const [first] = await Promise.all(all.slice(0, 32));
  const took = performance.now() - begin;
  server.setFault('*', null);
  expect(first).toEqual({ status: 'failed', error: 'TIMEOUT' });
  // No timer ends early, but on a busy machine it may end late.
  expect(took).toBeGreaterThanOrEqual(3990);
  expect(new Set(server.queries.slice(before, before + 64).map(({ name }) => name)).size).toBe(32);
  expect(asked()).toBeGreaterThanOrEqual(64);
  await Promise.all(all);
});
