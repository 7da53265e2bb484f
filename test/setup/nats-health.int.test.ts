/**
 * Tests the health check that ends a nats-server which cannot recover on its own. What happens to a cluster
 * on a full disk is an operation of `npm run lab -- faults`.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { connectNats } from '../../src/adapters/nats/connection.ts';
import { freePorts } from '../environment/free-ports.ts';
import { natsProcess } from '../environment/server-process.ts';
import { type HealthCheck, healthCheck } from '../lab/cluster/health.ts';
import { type Node, prepareNodes } from '../lab/cluster/nodes.ts';
import { eventually } from '../support/process/eventually.ts';
import { needs } from '../support/process/needs.ts';
import { mountSmallDisk, NO_DISK } from '../support/process/small-disk.ts';
import { until } from '../support/process/until.ts';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

let folder: string;
let docker: HealthCheck;
let nodes: readonly Node[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nats-health-'));
  docker = await healthCheck();
});

afterEach(async () => {
  disk?.free();
  await Promise.all(nodes.map(({ server }) => server.stop()));
  nodes = [];
  await docker.end();
  await rm(folder, { recursive: true, force: true });
});

const check = (node: Node) => docker.run(node);

test('without a quorum, or an answer, a node is left alone', async () => {
  ({ nodes } = await prepareNodes({ home: folder, onEnd: () => {} }));
  await Promise.all(nodes.map(({ server }) => server.start()));
  const [node, ...others] = nodes;
  if (!node) throw new Error('There is no node.');
  const healthz = async () => (await fetch(`${node.monitoring}/healthz`)).text();
  await eventually(async () => expect(await healthz()).toContain('"ok"'));
  expect(await check(node)).toEqual({ code: 0, output: '' });

  await Promise.all(others.map(({ server }) => server.stop()));
  await eventually(async () => expect(await healthz()).toContain('meta leader'));
  expect(await check(node)).toEqual({ code: 0, output: '' });

  node.server.signal('SIGSTOP');
  expect(await check(node)).toEqual({ code: 1, output: '' });
  node.server.signal('SIGCONT');
  expect(node.server.alive()).toBe(true);
});

test('a single server on a disk that was full is ended once space is free, and not earlier', async (context) => {
  needs(context, disk, NO_DISK);
  const { server, node, connection } = await startAlone(join(disk.path, 'alone'));
  const publish = () => connection.js.publish('kept', 'x', { timeout: 500 });
  await until(publish);
  disk.fill();
  let stored = 1;
  // A publish that is not answered may only be late.
  for (let failed = 0; failed < 3; )
    await publish().then(
      () => {
        stored += 1;
        failed = 0;
      },
      () => {
        failed += 1;
      },
    );
  expect(await check(node)).toMatchObject({
    code: 1,
    output: expect.stringContaining('free disk space'),
  });
  expect(server.alive()).toBe(true);

  disk.free();
  await expect(publish()).rejects.toThrow();
  expect(await check(node)).toMatchObject({
    code: 1,
    output: expect.stringContaining('ending it'),
  });
  await eventually(() => expect(server.alive()).toBe(false));
  await server.start();
  await until(publish);
  expect(await check(node)).toEqual({ code: 0, output: '' });
  const { state } = await connection.jsm.streams.info('KEPT');
  expect(state.messages).toBeGreaterThanOrEqual(stored);
  await connection.close();
});

/** Starts a nats-server without a cluster, with a stream and a client. */
async function startAlone(home: string) {
  await mkdir(home);
  const [client = 0, monitoring = 0] = await freePorts(2);
  const configFile = join(home, 'server.conf');
  await writeFile(
    configFile,
    `listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitoring}"
jetstream { store_dir: ${JSON.stringify(join(home, 'store'))}, max_file_store: 10GB, sync_interval: always }
`,
  );
  const server = natsProcess({ configFile, pidFile: join(home, 'pid') });
  const node: Node = {
    name: 'alone',
    url: `nats://127.0.0.1:${client}`,
    monitoring: `http://127.0.0.1:${monitoring}`,
    store: home,
    server,
  };
  nodes = [node];
  await server.start();
  const connection = await connectNats({ url: node.url, name: 'test' });
  await connection.jsm.streams.add({ name: 'KEPT', subjects: ['kept'] });
  return { server, node, connection };
}
