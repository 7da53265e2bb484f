/**
 * Tests that one network cannot use up the DNS queries of the others, and when a zone or our own
 * servers count as silent.
 */

import { expect, onTestFinished, test } from 'vitest';
import { createNewResolver, type ResolverOptions } from '../../../src/adapters/dns/resolver.ts';
import { createSilentZones } from '../../../src/adapters/dns/silent-zones.ts';
import { startDnsServer } from '../../environment/dns-server.ts';

const zone = {
  'good.example': { TXT: ['v=spf1 -all'] },
  'silent.example': {},
};

const ATTACKER = { ip: '198.51.100.1', testId: 'attack' };
const HONEST = { ip: '192.0.2.25', testId: 'honest' };

async function start(options: Partial<ResolverOptions> = {}) {
  const server = await startDnsServer({ zone });
  onTestFinished(() => server.stop());
  const newResolver = createNewResolver({
    servers: [server.address],
    timeoutMs: 60_000,
    tries: 1,
    zoneOf: (name) => name.split('.').slice(-2).join('.'),
    ...options,
  });
  const flood = (count: number, about = ATTACKER) => {
    for (let i = 0; i < count; i++) {
      server.setFault(`n${i}.silent.example`, 'TIMEOUT');
      void newResolver(about).txt(`n${i}.silent.example`);
    }
  };
  return { server, newResolver, flood };
}

test('a flood of queries that nobody answers delays no other network', async () => {
  const { newResolver, flood } = await start({ promptMs: 60_000 });
  flood(1000);
  const dns = newResolver(HONEST);
  expect(await dns.txt('good.example')).toMatchObject({ status: 'found' });
});

test('without a free slot the email is starved, which does not count as silence of its servers', async () => {
  const { newResolver, flood } = await start({ maxWaitMs: 50, promptMs: 60_000 });
  flood(1000);
  const dns = newResolver({ ...ATTACKER, testId: 'another' });
  expect(await dns.txt('good.example')).toEqual({ status: 'failed', error: 'OVERLOADED' });
  await dns.starved;
});

test('an email that waits for its own servers is not starved', async () => {
  const { server, newResolver } = await start({ timeoutMs: 100, maxInFlight: 1, maxWaitMs: 50 });
  for (const name of ['a', 'b', 'c']) server.setFault(`${name}.silent.example`, 'TIMEOUT');
  const dns = newResolver(HONEST);
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => dns.txt(`${name}.silent.example`)),
  );
  expect(answers).toEqual(Array(3).fill({ status: 'failed', error: 'TIMEOUT' }));
  const state = await Promise.race([dns.starved.then(() => 'starved'), 'not starved']);
  expect(state).toBe('not starved');
});

test('new names under one domain are limited per network, but known names and our own lists are not', async () => {
  const { server, newResolver } = await start({ ownZones: ['list.example'], maxWaitMs: 60_000 });
  const askMany = async (zone: string, count: number, about?: typeof HONEST) => {
    const mails = Array.from({ length: Math.ceil(count / 100) }, () => newResolver(about));
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => mails[Math.floor(i / 100)]?.txt(`n${i}.${zone}`)),
    );
    return answers.filter((answer) => answer?.status !== 'failed').length;
  };
  expect(await askMany('good.example', 700, ATTACKER)).toBe(600);
  const dns = newResolver(ATTACKER);
  expect(await dns.txt('another.good.example')).toMatchObject({ error: 'OVERLOADED' });
  await dns.starved;
  expect(await newResolver(HONEST).txt('another.good.example')).toMatchObject({
    status: 'nxdomain',
  });
  expect(await newResolver(ATTACKER).txt('n1.good.example')).toMatchObject({ status: 'nxdomain' });
  expect(await askMany('list.example', 700, ATTACKER)).toBe(700);
  expect(await askMany('good.example', 700, { ip: '127.0.0.1', testId: 'operator' })).toBe(700);
  expect(server.queries.length).toBeGreaterThan(1300);
});

test('our servers are checked once a second, with a name that no cache knows', async () => {
  const { server, newResolver } = await start({ timeoutMs: 100, controlZone: 'own.example' });
  const [one, other] = [newResolver(HONEST), newResolver(ATTACKER)];
  server.setFault('*.own.example', 'TIMEOUT');
  expect(await Promise.all([one.isServed?.(), other.isServed?.()])).toEqual([false, false]);
  expect(server.queries).toHaveLength(1);
  expect(server.queries[0]?.name).toMatch(/^[0-9a-f-]{36}\.own\.example$/);
});

test('“no such name” is an answer, too', async () => {
  const { newResolver } = await start({ controlZone: 'own.example' });
  expect(await newResolver(HONEST).isServed?.()).toBe(true);
});

test('queries that nobody answers soon hold no slot, and an email of their own network continues', async () => {
  const { newResolver, flood } = await start();
  flood(1000);
  const dns = newResolver({ ...ATTACKER, testId: 'another' });
  expect(await dns.txt('good.example')).toMatchObject({ status: 'found' });
});

test('a zone counts as silent for 10 s after 16 slow failures while others answer', () => {
  const zones = createSilentZones((name) => name.split('.').slice(-2).join('.'));
  const fail = (i: number) => zones.note(`n${i}.silent.example`, false, 0, 2000);
  zones.note('good.example', true, 0, 1000);
  for (let i = 0; i < 15; i++) fail(i);
  expect(zones.isSilent('new.silent.example', 2000)).toBe(false);
  fail(15);
  expect(zones.isSilent('new.silent.example', 11_999)).toBe(true);
  expect(zones.isSilent('new.silent.example', 12_000)).toBe(false);
  expect(zones.isSilent('good.example', 2000)).toBe(false);
});

test('no zone counts as silent if nothing else is answered, or after any answer of its own', () => {
  const zones = createSilentZones((name) => name);
  for (let i = 0; i < 20; i++) zones.note('alone.example', false, 0, 2000);
  expect(zones.isSilent('alone.example', 2000)).toBe(false);
  zones.note('good.example', true, 0, 2000);
  for (let i = 0; i < 15; i++) zones.note('slow.example', false, 0, 2000);
  zones.note('slow.example', true, 0, 2000);
  zones.note('slow.example', false, 0, 2000);
  expect(zones.isSilent('slow.example', 2000)).toBe(false);
});
