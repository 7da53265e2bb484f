/** Tests that replicas agree after a log was damaged or restored. */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM_ENV, programOf } from '../environment/compile-cache.ts';
import { type NatsServer, startNats } from '../support/log/nats-server.ts';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import type { CreatedTest } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

const cli = programOf('src/operator.ts');

let nats: NatsServer;
let replicas: Replicas;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restored-'));
  nats = await startNats();
  replicas = await startReplicas(2, { NATS_URL: nats.url });
});
afterAll(async () => {
  await replicas?.stop();
  await nats?.end();
  await rm(folder, { recursive: true, force: true });
});

const answers = (created: CreatedTest) =>
  Promise.all([0, 1].map((index) => replicas.status(index, created).catch(() => 'no answer')));
const isAt = (created: CreatedTest, status: string) => async () =>
  (await answers(created)).every((one) => one === status);

const alike = (created: CreatedTest, status: string) =>
  expect.poll(() => answers(created), { interval: 100 }).toEqual([status, status]);

async function readyTest(): Promise<CreatedTest> {
  const created = await replicas.created(0);
  await replicas.send(1, created);
  await until(isAt(created, 'ready'));
  return created;
}

test('every replica responds alike about a damaged test, and again when its store is restored', async () => {
  const [created, other] = [await readyTest(), await replicas.created(1)];
  const store = join(folder, 'store');
  await nats.stop();
  await cp(nats.storeDir, store, { recursive: true });
  await nats.start();
  await until(isAt(created, 'ready'));

  const [, arrived] = await replicas.tests.read(created.test_id);
  await replicas.connection.jsm.streams.deleteMessage('TESTS', arrived?.seq ?? 0);
  // One replica reads the damaged test. The other one, which knows it in full, is told about the damage.
  const before = replicas.pid(0);
  process.kill(before, 'SIGKILL');
  await until(async () => replicas.pid(0) !== before && isAt(other, 'waiting')());
  await alike(created, 'test_damaged');
  expect(await answers(other)).toEqual(['waiting', 'waiting']);

  await nats.kill();
  await rm(nats.storeDir, { recursive: true, force: true });
  await cp(store, nats.storeDir, { recursive: true });
  await nats.start();
  await alike(created, 'ready');
  for (const index of [0, 1]) expect((await replicas.read(index, created)).status).toBe(402);
});

test('every replica responds alike after a log was lost and restored from a backup', async () => {
  const [created, other] = [await readyTest(), await replicas.created(1)];
  const env = { ...PROGRAM_ENV, ...replicas.environment.env };
  const replay = (...args: string[]) =>
    promisify(execFile)(process.execPath, [cli, 'replay', ...args], { env });
  const file = join(folder, 'log.jsonl');
  await replay('backup', file);
  const pids = [replicas.pid(0), replicas.pid(1)];

  await nats.empty();
  const { stdout } = await replay('restore', file);
  expect(JSON.parse(stdout)).toMatchObject({ left_out: [] });
  // The replicas have folded another stream, so they end, and start again with the present one.
  await until(async () => [0, 1].every((index) => !pids.includes(replicas.pid(index))));
  await until(isAt(created, 'ready'));
  expect(await answers(other)).toEqual(['waiting', 'waiting']);
});
