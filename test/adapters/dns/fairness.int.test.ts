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
  const { newResolver, flood } = await start();
  flood(1000);
  const dns = newResolver(HONEST);
  expect(await dns.txt('good.example')).toMatchObject({ status: 'found' });
});

test('without a free slot the mail is starved, which is no silence of its servers', async () => {
  const { newResolver, flood } = await start({ maxWaitMs: 50 });
  flood(1000);
  const dns = newResolver({ ...ATTACKER, testId: 'another' });
  expect(await dns.txt('good.example')).toEqual({ status: 'failed', error: 'OVERLOADED' });
  await dns.starved;
});

test('a mail that waits for its own servers is not starved', async () => {
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

test('a client and a test have budgets; the service itself has none', async () => {
  const { server, newResolver } = await start({ queriesPerClient: 3, queriesPerTest: 2 });
  const askMany = async (about?: typeof HONEST) => {
    const dns = newResolver(about);
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.good.example`);
    const answers = await Promise.all(names.map((name) => dns.txt(name)));
    return answers.filter(({ status }) => status !== 'failed').length;
  };
  expect(await askMany(HONEST)).toBe(2);
  expect(await askMany({ ...HONEST, testId: 'second' })).toBe(1);
  expect(await askMany({ ip: '127.0.0.1', testId: 'operator' })).toBe(5);
  expect(await askMany()).toBe(5);
  expect(server.queries).toHaveLength(13);
});

test('a zone is silent after 16 slow failures while others answer, and for 10 s', () => {
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

test('no zone is silent when nothing else is answered, or after any answer of its own', () => {
  const zones = createSilentZones((name) => name);
  for (let i = 0; i < 20; i++) zones.note('alone.example', false, 0, 2000);
  expect(zones.isSilent('alone.example', 2000)).toBe(false);
  zones.note('good.example', true, 0, 2000);
  for (let i = 0; i < 15; i++) zones.note('slow.example', false, 0, 2000);
  zones.note('slow.example', true, 0, 2000);
  zones.note('slow.example', false, 0, 2000);
  expect(zones.isSilent('slow.example', 2000)).toBe(false);
});
