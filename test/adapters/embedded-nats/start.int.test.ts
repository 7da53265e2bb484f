/**
 * Tests how the service starts and stops its own nats-server, locks and encrypts its store, and
 * reports what prevents a start.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedNats, startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';
import { eventually } from '../../support/process/eventually.ts';
import { needs } from '../../support/process/needs.ts';
import { mountSmallDisk, NO_DISK } from '../../support/process/small-disk.ts';

const serverBin = 'nats-server';
const childFile = fileURLToPath(new URL('child.ts', import.meta.url));

let dataDir: string;
let servers: EmbeddedNats[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-nats-'));
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  await eventually(() => rm(dataDir, { recursive: true, force: true }));
});

async function start(bin = serverBin, storeKey: string | null = null): Promise<EmbeddedNats> {
  const server = await startEmbeddedNats({ dataDir, serverBin: bin, storeKey });
  servers.push(server);
  return server;
}

/** Starts the server in a process of its own, which can be killed. */
async function startInChild() {
  const child = spawn(process.execPath, [childFile, dataDir, serverBin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, answer: JSON.parse(line) };
}

const open = ({ url, token }: Pick<EmbeddedNats, 'url' | 'token'>) =>
  connect({ servers: url, token, reconnect: false });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const isGone = (pid: number) => eventually(() => expect(isRunning(pid)).toBe(false));

test('a started server responds and has JetStream', async () => {
  const client = await open(await start());
  const { limits } = await (await jetstreamManager(client)).getAccountInfo();
  await client.close();
  expect(limits).toBeDefined();
});

test('a wrong token is refused', async () => {
  const { url, token } = await start();
  await expect(open({ url, token: `${token}0` })).rejects.toThrow(/authorization/i);
  await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/authorization/i);
});

test('the token is in a private file and on no command line', async () => {
  const { pid, token } = await start();
  const file = join(dataDir, 'nats', 'server.conf');
  expect(await readFile(file, 'utf8')).toContain(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'nats'))).mode & 0o777).toBe(0o700);
  if (process.platform === 'linux')
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(token);
});

test('a stopped server is gone, and may be stopped again', async () => {
  const server = await start();
  await server.stop();
  await server.stop();
  await server.ended;
  expect(isRunning(server.pid)).toBe(false);
});

test('a restart keeps the streams', async () => {
  const first = await start();
  const writer = await open(first);
  await (await jetstreamManager(writer)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  await jetstream(writer).publish('kept', 'still here');
  await writer.close();
  await first.stop();

  const second = await start();
  const reader = await open(second);
  const message = await (await jetstreamManager(reader)).streams.getMessage('KEPT', { seq: 1 });
  await reader.close();
  expect(message?.string()).toBe('still here');
  expect(second.token).not.toBe(first.token);
});

test('with a key, the store contains no readable byte, even of what was stored without it, and is read with it', async () => {
  const isReadable = async () => {
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile());
    const contents = files.map(({ parentPath, name }) => readFile(join(parentPath, name)));
    return (await Promise.all(contents)).some((content) => content.includes('still here'));
  };
  const key = '12 "odd" \\key';
  for (const [storeKey, seq] of [
    [null, 1],
    [key, 2],
    [key, 3],
  ] as const) {
    const server = await start(serverBin, storeKey);
    const client = await open(server);
    const { streams } = await jetstreamManager(client);
    if (seq === 1) await streams.add({ name: 'KEPT', subjects: ['kept'] });
    await jetstream(client).publish('kept', `still here ${seq}`);
    for (let n = 1; n <= seq; n++)
      expect((await streams.getMessage('KEPT', { seq: n }))?.string()).toBe(`still here ${n}`);
    expect(await isReadable()).toBe(storeKey === null);
    await client.close();
    await server.stop();
  }
});

test.each([
  ['another key', 'a', / is encrypted with another key: set NATS_STORE_KEY_FILE /],
  ['no key', null, / is encrypted: set NATS_STORE_KEY_FILE /],
])('with %s, a store is not touched, and the error names the setting', async (_, key, message) => {
  const first = await start(serverBin, 'b');
  const nc = await open(first);
  await (await jetstreamManager(nc)).streams.add({ name: 'TESTS', subjects: ['tests.*'] });
  await jetstream(nc).publish('tests.a', 'kept');
  await nc.close();
  await first.stop();
  await expect(start(serverBin, key)).rejects.toThrow(message);
  const again = await open(await start(serverBin, 'b'));
  const { state } = await (await jetstreamManager(again)).streams.info('TESTS');
  expect(state.messages).toBe(1);
  await again.close();
});

test('a store that is not a folder is named with DATA_DIR', async () => {
  await mkdir(join(dataDir, 'nats'));
  await writeFile(join(dataDir, 'nats', 'store'), '');
  await expect(start()).rejects.toThrow(`DATA_DIR (${dataDir}) cannot be used: `);
  await expect(startEmbeddedNats({ dataDir: '/etc/hosts', serverBin })).rejects.toThrow(
    'DATA_DIR (/etc/hosts) cannot be used: ENOTDIR for /etc/hosts/nats.',
  );
});

test('the server dies with a parent that is killed, and its store is free again', async () => {
  const { child, answer } = await startInChild();
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  // Does not wait for the server: a supervisor restarts at once, while the old server is still shutting down.
  const next = await start();
  await isGone(answer.pid);
  expect(isRunning(next.pid)).toBe(true);
});

test('a second service on the same data directory is told what to do', async () => {
  await start();
  const { answer } = await startInChild();
  expect(answer.error).toMatch(
    new RegExp(
      `^Another service \\(process ${process.pid}\\) already runs its nats-server .* NATS_URL\\.$`,
    ),
  );
});

test('of several services that start at once, one gets the store', async () => {
  const answers = (await Promise.all([1, 2, 3].map(startInChild))).map(({ answer }) => answer);
  expect(answers.filter(({ url }) => url)).toHaveLength(1);
  expect(answers.filter(({ error }) => error?.includes('Another service'))).toHaveLength(2);
});

test.each([
  ['a pid that now belongs to another process', { pid: process.pid, started: '-' }],
  ['a pid that nobody has', { pid: 2 ** 22 + 1, started: '1' }],
])('a lock with %s is taken over', async (_, gone) => {
  const lock = join(dataDir, 'nats.lock');
  await writeFile(lock, JSON.stringify({ id: 'old', guard: gone, owner: gone }));
  const server = await start();
  expect(isRunning(server.pid)).toBe(true);
  expect(JSON.parse(await readFile(lock, 'utf8')).owner.pid).toBe(process.pid);
});

test('a lock cut short by a power cut is taken over', async () => {
  await writeFile(join(dataDir, 'nats.lock'), '{"id":"ol');
  expect(isRunning((await start()).pid)).toBe(true);
});

test('a server that was itself killed does not keep the store from the same service', async () => {
  const first = await start();
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  expect(isRunning((await start()).pid)).toBe(true);
});

test('a server whose guard was killed does not stay behind', async () => {
  const { pid } = await start();
  const { guard } = JSON.parse(await readFile(join(dataDir, 'nats.lock'), 'utf8'));
  process.kill(guard.pid, 'SIGKILL');
  await isGone(pid);
});

test('an exit before it is ready shows the server’s log', async () => {
  const broken = join(dataDir, 'broken');
  await writeFile(broken, '#!/bin/sh\necho "[FTL] the disk is on fire" >&2\nexit 3\n');
  await chmod(broken, 0o755);
  await expect(start(broken)).rejects.toThrow(/before it was ready:\n\[FTL\] the disk is on fire/);
});

test('a server that takes memory without end is stopped at its limit, and the error says what to do', async () => {
  // A server whose store has a damaged block behaves like this: nats-server itself, with less memory than it
  // needs.
  const starting = startEmbeddedNats({
    dataDir,
    serverBin,
    limits: { memoryBytes: 60 * 2 ** 20 },
  });
  await expect(starting).rejects.toThrow(
    /needs more than its limit of 0\.1 GiB .* "A server that does not start" in docs\/operations\.md/,
  );
  // The next server has everything that it needs.
  const { pid } = await start();
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  if (limits) expect(limits).toMatch(/^Max data size\s+2415919104\s/m);
});

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

test('a full disk is an error at the start, and does not hinder later starts', async (context) => {
  needs(context, disk, NO_DISK);
  const full = join(disk.path, 'data');
  disk.fill();
  await expect(startEmbeddedNats({ dataDir: full, serverBin })).rejects.toThrow(
    `The disk of DATA_DIR (${full}) is full: free space there.`,
  );
  disk.free();
  const server = await startEmbeddedNats({ dataDir: full, serverBin });
  servers.push(server);
  expect((await readdir(full)).sort()).toEqual(['nats', 'nats.lock']);
});
