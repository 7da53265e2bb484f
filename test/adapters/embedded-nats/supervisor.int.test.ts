/** Tests that the service restarts its own nats-server when it dies, hangs or cannot write. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findEmbeddedNats, startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';
import {
  type SupervisedNats,
  superviseEmbeddedNats,
} from '../../../src/adapters/embedded-nats/supervisor.ts';
import { connectNats, type LogConnection } from '../../../src/adapters/nats/connection.ts';
import { eventually } from '../../support/process/eventually.ts';

const serverBin = 'nats-server';

let dataDir: string;
let kept: SupervisedNats | undefined;
let client: LogConnection | undefined;
let logged: { readonly message: string; readonly fields: object }[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kept-nats-'));
  logged = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await client?.close();
  await kept?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const note = (fields: object, message: string) => void logged.push({ fields, message });
const logger = { debug: () => {}, warn: () => {}, info: note, error: note };
const messages = () => logged.map(({ message }) => message);

/** Starts a supervised server, and a client that reconnects on its own. */
async function start(bin = serverBin) {
  const startedWith = { dataDir, serverBin: bin };
  const server = await startEmbeddedNats(startedWith);
  const { url, token } = server;
  const connection = await connectNats({ url, token, name: 'test' });
  client = connection;
  const state = { mute: false };
  const answers = () => connection.connected() && !state.mute;
  kept = superviseEmbeddedNats({ server, startedWith, answers, logger });
  return { server, connection, kept, state };
}

/** Runs nats-server through a script that first does what the files beside it ask for. */
async function scripted(): Promise<string> {
  const file = join(dataDir, 'nats-server');
  const script = `#!/bin/sh
if [ -e '${dataDir}/absent' ]; then echo '[FTL] it is not there' >&2; exit 1; fi
if [ -e '${dataDir}/fail' ]; then
  rm '${dataDir}/fail'
  echo '[ERR] Filestore [TESTS] Critical write error: write 1.blk: no space left on device' >&2
fi
exec '${serverBin}' "$@"
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

const recovery = () =>
  eventually(() => expect(messages()).toContain('events can be recorded again'));

test('a server that was killed is started again: its clients find it, and what they stored', async () => {
  const { server, connection, kept } = await start();
  await connection.jsm.streams.add({ name: 'KEPT', subjects: ['kept'] });
  await connection.js.publish('kept', 'still here');
  process.kill(server.pid, 'SIGKILL');
  await eventually(() => expect(kept.isWell()).toBe(false));
  await recovery();
  expect(kept.isWell()).toBe(true);
  const message = await connection.jsm.streams.getMessage('KEPT', { seq: 1 });
  expect(message?.string()).toBe('still here');
  expect(await findEmbeddedNats(dataDir)).toEqual({ url: server.url, token: server.token });
  expect(logged).toMatchObject([
    {
      message: 'nothing can be recorded: nats-server is being restarted',
      fields: { fault: 'ended' },
    },
    { message: 'events can be recorded again', fields: { after: 'ended' } },
  ]);
});

test('a server that could not write is started again once there is room', async () => {
  const bin = await scripted();
  await writeFile(join(dataDir, 'fail'), '');
  const { server, kept } = await start(bin);
  await recovery();
  expect(logged[0]?.fields).toMatchObject({ fault: 'store_failed' });
  await server.ended;
  expect(kept.isWell()).toBe(true);
});

test('a server that hangs is started again after 30 s', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { server, state } = await start();
  state.mute = true;
  await eventually(() => expect(logged).toEqual([]));
  vi.advanceTimersByTime(30_000);
  await server.ended;
  state.mute = false;
  await recovery();
  expect(logged[0]?.fields).toMatchObject({ fault: 'silent' });
});

test('a start that fails is logged and repeated', async () => {
  const { server } = await start(await scripted());
  await writeFile(join(dataDir, 'absent'), '');
  process.kill(server.pid, 'SIGKILL');
  await eventually(() =>
    expect(logged).toContainEqual({
      message: 'nats-server does not start; trying again',
      fields: { why: expect.stringContaining('[FTL] it is not there') },
    }),
  );
  await rm(join(dataDir, 'absent'));
  await recovery();
});

test('a server that is stopped stays stopped', async () => {
  const { server, kept } = await start();
  await kept.stop();
  await server.ended;
  expect(logged).toEqual([]);
  const { url, token } = server;
  await expect(connectNats({ url, token, name: 'test' })).rejects.toThrow();
});
