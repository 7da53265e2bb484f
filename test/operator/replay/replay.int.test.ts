/** Tests `operate -- replay` as a process, on a live service and on a stopped one. */

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../src/adapters/nats/log.ts';
import { createStreams } from '../../../src/adapters/nats/streams.ts';
import { PROGRAM_ENV, programOf } from '../../environment/compile-cache.ts';
import { anEvent } from '../../support/log/events.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { streamSettings } from '../../support/log/streams.ts';
import { TEST_ID } from '../../support/process/instants.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs the command as an operator does, with no settings except the place of the log. */
function replay(args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: unknown; lines: Record<string, unknown>[]; stderr: string }>(
    (resolve) => {
      execFile(
        process.execPath,
        [programOf('src/operator.ts'), 'replay', ...args],
        { env: { ...PROGRAM_ENV, DATA_DIR: dataDir, ...env } },
        (error, stdout, stderr) => {
          const lines = stdout.split('\n').filter(Boolean);
          resolve({ code: error?.code ?? 0, lines: lines.map((one) => JSON.parse(one)), stderr });
        },
      );
    },
  );
}

/** Starts the nats-server of a service that runs on this folder. */
async function openNats() {
  const server = await startEmbeddedNats({ dataDir });
  const connection = await connectNats({ url: server.url, token: server.token, name: 'test' });
  return {
    connection,
    async end() {
      await connection.close();
      await server.stop();
    },
  };
}

const counted = { code: 0, lines: [{ type: 'TestCreated' }, { type: 'MailArrived' }] };

test('without a log, the command says so', async () => {
  const { code, stderr } = await replay(['events']);
  expect(code).toBe(1);
  expect(stderr).toContain('no service has created one yet');
  // A mistyped folder is left as it was.
  expect(await readdir(dataDir)).toEqual([]);
});

test('a server that does not exist is named', async () => {
  const { code, stderr } = await replay(['events'], { NATS_URL: 'nats://127.0.0.1:1' });
  expect(code).toBe(1);
  expect(stderr).toContain('The server of NATS_URL cannot be used');
});

test('a deleted stream is named, and the ledger is read without it', async () => {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, streamSettings);
  await connection.jsm.streams.delete('TESTS');
  const env = { NATS_URL: server.url };
  for (const command of ['events', 'verify']) {
    const { code, stderr } = await replay([command], env);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Missing streams: TESTS. Present: REPORTS, PAYMENTS. The missing ones were deleted',
    );
  }
  expect(await replay(['payments'], env)).toMatchObject({ code: 0, lines: [] });
  await connection.close();
  await server.end();
});

test('a live service and a stopped one show the same, with the buckets and without', async () => {
  const { connection, end } = await openNats();
  await createStreams(connection, streamSettings);
  const { tests } = openLogs(connection);
  const created = await tests.append(TEST_ID, anEvent('TestCreated'), 0);
  if (created.outcome !== 'appended') throw new Error(created.outcome);
  await tests.append(TEST_ID, anEvent('MailArrived', 60), created.seq);

  expect(await replay(['events'])).toMatchObject(counted);
  await end();
  expect(await replay(['events'])).toMatchObject(counted);

  expect(await replay(['verify'])).toMatchObject({ code: 0, lines: [] });
  const deleted = await openNats();
  await deleted.connection.jsm.streams.delete('KV_status');
  expect(await replay(['verify'])).toMatchObject({ code: 0, lines: [] });
  expect(await replay(['end', TEST_ID])).toMatchObject({
    code: 1,
    lines: [{ why: 'its history is complete' }],
  });
  await deleted.end();
});

test('a server that NATS_URL names is used, and its limits are left unchanged', async () => {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, streamSettings);
  await openLogs(connection).tests.append(TEST_ID, anEvent('TestCreated'), 0);
  const before = (await connection.jsm.streams.info('TESTS')).config;
  const env = { NATS_URL: server.url, TESTS_MAX_BYTES: '1048576' };
  expect(await replay(['states', TEST_ID], env)).toMatchObject({
    code: 0,
    lines: [{ type: 'TestCreated', state: 'waiting.open' }],
  });
  expect((await connection.jsm.streams.info('TESTS')).config).toEqual(before);
  await connection.close();
  await server.end();
});

test('a node that does not exist is named without its URL, which may contain a key', async () => {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, streamSettings);
  const env = {
    ...{ NATS_URL: server.url, X402_PAY_TO: `0x${'4'.repeat(40)}` },
    X402_RPC_URL: 'http://127.0.0.1:1/canarypath?x=canaryquery',
  };
  for (const args of [['--reconcile'], ['--refunds', '--from-block', '0', '--to-block', '9']]) {
    const { code, stderr } = await replay(['payments', ...args], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The chain's RPC did not respond \(\w+\)\.\n$/);
  }
  await connection.close();
  await server.end();
});
