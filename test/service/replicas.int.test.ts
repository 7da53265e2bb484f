import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXED } from '../../src/config/fixed.ts';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import { until } from '../support/process/until.ts';

/** The replica whose tests end soon; those of the others outlive this file on any machine. */
const HURRIED = 2;

let replicas: Replicas;
beforeAll(async () => {
  const durations = {
    ...FIXED.durations,
    receiveWindowSeconds: 2,
    refusalTimeoutSeconds: 2,
    retentionSeconds: 6,
  };
  replicas = await startReplicas(3, {}, [{}, {}, { durations }]);
});
afterAll(() => replicas?.stop());

const typesOf = async (id: string) =>
  (await replicas.tests.read(id)).map(({ event: { type } }) => type);

test('a test is known everywhere as soon as it was created anywhere', async () => {
  for (let round = 0; round < 20; round++) {
    const created = await replicas.created(round % 2);
    const others = [(round + 1) % 2, HURRIED];
    expect(await Promise.all(others.map((one) => replicas.status(one, created)))).toEqual([
      'waiting',
      'waiting',
    ]);
  }
});

test('a mail to one replica is analysed there, once, and its report is known to all', async () => {
  const created = await replicas.created(0);
  expect(await replicas.send(1, created)).toMatch(/^250/);
  for (const index of [0, 1, 2]) {
    await until(async () => (await replicas.status(index, created)) === 'ready');
    expect((await replicas.read(index, created)).status).toBe(402);
  }
  expect(await typesOf(created.test_id)).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  expect(await replicas.reports.read(created.test_id)).toHaveLength(1);
});

test('two mails to two replicas at once: one is taken, and there is one report', async () => {
  const created = await replicas.created(1);
  const sent = await Promise.allSettled([replicas.send(0, created), replicas.send(1, created)]);
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(String(sent.find(({ status }) => status === 'rejected'))).toBeDefined();
  expect(await typesOf(created.test_id)).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  expect(await replicas.reports.read(created.test_id)).toHaveLength(1);
});

test('each deadline is recorded once, no matter who notices it, and every replica knows', async () => {
  const tests = await Promise.all(Array.from({ length: 30 }, () => replicas.created(HURRIED)));
  const seen = new Map<string, string[]>(tests.map(({ test_id }) => [test_id, []]));
  const following = replicas.tests.follow({
    onEvent: ({ id, event }) => void seen.get(id)?.push(event.type),
  });
  const all = (type: string) => () =>
    Promise.resolve([...seen.values()].every((types) => types.includes(type)));

  await until(all('WindowClosed'));
  for (const created of tests)
    expect(['rejected_or_not_received', 'test_not_found']).toContain(
      await replicas.status(1, created),
    );
  await until(all('Expired'));
  for (const types of seen.values())
    expect(types).toEqual(['TestCreated', 'WindowClosed', 'Expired']);
  for (const [index, created] of tests.entries())
    expect(await replicas.status(index % 3, created)).toBe('test_not_found');
  await following.stop();
});
