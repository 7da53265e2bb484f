/**
 * Tests how streams and buckets are created, limited, upgraded from release 1.0.0, encrypted and
 * securely erased.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiscardPolicy } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectNats, type LogConnection } from '../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../src/adapters/nats/log.ts';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import { createStreams, fullBytes } from '../../../src/adapters/nats/streams.ts';
import { isReportView } from '../../../src/projection/views.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { streamSettings } from '../../support/log/streams.ts';

const NANOSECONDS = 1e9;

let nats: Awaited<ReturnType<typeof startLogs>>;
beforeAll(async () => {
  nats = await startLogs();
});
afterAll(() => nats?.end());

const configOf = async (name: string) => (await nats.connection.jsm.streams.info(name)).config;

test.each([
  [
    'TESTS',
    {
      subjects: ['tests.*'],
      discard: 'new',
      discard_new_per_subject: true,
      max_msgs_per_subject: 64,
      max_age: 27 * 3600 * NANOSECONDS,
      deny_purge: true,
    },
  ],
  [
    'REPORTS',
    { subjects: ['reports.*'], discard: 'new', max_age: 24 * 3600 * NANOSECONDS, deny_purge: true },
  ],
  [
    'PAYMENTS',
    { subjects: ['payments.*'], discard: 'new', max_age: 0, deny_delete: true, deny_purge: true },
  ],
  ['KV_status', { max_age: 48 * 3600 * NANOSECONDS, max_msgs_per_subject: 1 }],
  ['KV_reports', { max_age: 24 * 3600 * NANOSECONDS, max_msgs_per_subject: 1 }],
  ['KV_marks', { max_age: 0, max_msgs_per_subject: 1 }],
  ['KV_payment_claims', { max_age: 48 * 3600 * NANOSECONDS, max_msgs_per_subject: 1 }],
])('%s has its limits and is on disk', async (name, expected) => {
  const config = await configOf(name);
  expect(config).toMatchObject({ ...expected, storage: 'file' });
  expect(config.allow_direct ?? false).toBe(false);
});

test('creating them again, from two replicas at once, changes nothing', async () => {
  const before = await configOf('TESTS');
  await Promise.all([1, 2].map(() => createStreams(nats.connection, streamSettings)));
  expect(await configOf('TESTS')).toEqual(before);
});

test('replicas that start at once create the streams, even if the store has room for only one of each', async () => {
  // The limits are so large that there is no space for another stream like these.
  const settings = { ...streamSettings, testsMaxBytes: 2 ** 33, reportsMaxBytes: 2 ** 33 };
  const server = await startNats({ maxFileStore: fullBytes(settings) + 2 ** 28 });
  try {
    for (let round = 0; round < 5; round++) {
      await server.empty();
      const connections = await Promise.all(
        [1, 2, 3].map((n) => connectNats({ url: server.url, name: `replica-${n}` })),
      );
      await Promise.all(connections.map((one) => createStreams(one, settings)));
      await Promise.all(connections.map((one) => one.close()));
    }
  } finally {
    await server.end();
  }
});

describe('the way back to the previous release', () => {
  const CLAIMS = 'KV_payment_claims';
  const FINAL = { discard_new_per_subject: true, deny_delete: true, deny_purge: true };
  let server: Awaited<ReturnType<typeof startNats>>;
  let connection: LogConnection;
  beforeAll(async () => {
    server = await startNats();
    connection = await connectNats({ url: server.url, name: 'test' });
    // Release 1.0.0 created the bucket of claims with these settings.
    await connection.jsm.streams.add({
      name: CLAIMS,
      subjects: ['$KV.payment_claims.>'],
      discard: DiscardPolicy.New,
      max_msgs_per_subject: 1,
      max_age: 48 * 3600 * NANOSECONDS,
      max_bytes: 64 * 1024 * 1024,
      allow_rollup_hdrs: true,
      num_replicas: 1,
    });
  });
  afterAll(async () => {
    await connection?.close();
    await server?.end();
  });
  const claims = async () => (await connection.jsm.streams.info(CLAIMS)).config;
  /** Does what 1.0.0 does when it finds the bucket without its flag. */
  const asBefore = async () => {
    if (!(await claims()).allow_rollup_hdrs)
      await connection.jsm.streams.update(CLAIMS, { allow_rollup_hdrs: true });
  };

  test('a bucket of 1.0.0 gets its limits, but nothing that cannot be undone', async () => {
    const outcomes = await createStreams(connection, streamSettings);
    expect(outcomes).toMatchObject({ [CLAIMS]: 'not final', TESTS: 'created' });
    expect(await claims()).toMatchObject({ allow_rollup_hdrs: true, max_bytes: 256 * 1024 * 1024 });
    expect((await claims()).deny_delete ?? false).toBe(false);
    await asBefore();
    expect(await createStreams(connection, streamSettings)).toMatchObject({
      [CLAIMS]: 'not final',
    });
  });

  test('the operator’s command makes it final, once and for all', async () => {
    const final = () => createStreams(connection, streamSettings, { isFinal: true });
    expect(await final()).toMatchObject({ [CLAIMS]: 'updated', TESTS: 'unchanged' });
    expect(await claims()).toMatchObject(FINAL);
    expect(await final()).toMatchObject({ [CLAIMS]: 'unchanged' });
    expect(await createStreams(connection, streamSettings)).toMatchObject({
      [CLAIMS]: 'unchanged',
    });
    await expect(asBefore()).rejects.toThrow();
    await expect(connection.jsm.streams.purge(CLAIMS)).rejects.toThrow();
    await expect(connection.jsm.streams.update(CLAIMS, { deny_delete: false })).rejects.toThrow();
  });

  test('a bucket that this release creates is final from the beginning', async () => {
    expect(await configOf(CLAIMS)).toMatchObject(FINAL);
  });
});

test('a store without room is named, together with what to change', async () => {
  const server = await startNats({ maxFileStore: 2 ** 25 });
  const connection = await connectNats({ url: server.url, name: 'test' });
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 3000;
    return now;
  });
  try {
    await expect(createStreams(connection, streamSettings)).rejects.toThrow(
      /has no room for the stream TESTS: insufficient storage.*max_file_store.*TESTS_MAX_BYTES/,
    );
  } finally {
    clock.mockRestore();
    await connection.close();
    await server.end();
  }
});

test('a new setting reaches an existing stream, and its events are kept', async () => {
  const event = anEvent('TestCreated');
  await nats.tests.append('aaaaaaaaaaaa', event, 0);
  const longer = { ...streamSettings, retentionSeconds: 25 * 3600, testsMaxBytes: 2 ** 25 };
  expect(Object.values(await createStreams(nats.connection, longer))).not.toContain('kept older');
  expect((await configOf('REPORTS')).max_age).toBe(25 * 3600 * NANOSECONDS);
  expect((await configOf('TESTS')).max_bytes).toBe(2 ** 25);
  expect(await nats.tests.read('aaaaaaaaaaaa')).toMatchObject([{ event }]);
});

test('a shorter retention removes nothing that was promised to live longer', async () => {
  const written = await nats.reports.append('bbbbbbbbbbbb', aReportWritten(), 0);
  if (written.outcome !== 'appended') throw new Error(written.outcome);
  const before = await configOf('REPORTS');
  const shorter = { ...streamSettings, retentionSeconds: 1 };
  expect(await createStreams(nats.connection, shorter)).toMatchObject({
    TESTS: 'kept older',
    REPORTS: 'kept older',
    KV_reports: 'kept older',
    PAYMENTS: 'unchanged',
  });
  expect((await configOf('REPORTS')).max_age).toBe(before.max_age);
  expect(await nats.reports.readAt(written.seq)).toBeDefined();
});

test('payments can be neither deleted nor purged', async () => {
  const { connection, payments } = nats;
  const appended = await payments.append('aaaaaaaaaaaa', aPaymentEvent('SettlementStarted'), 0);
  if (appended.outcome !== 'appended') throw new Error(appended.outcome);
  await expect(payments.erase(appended.seq, 'secure')).rejects.toMatchObject({ code: 10057 });
  await expect(connection.jsm.streams.purge('PAYMENTS')).rejects.toMatchObject({ code: 10110 });
  expect(await payments.read('aaaaaaaaaaaa')).toHaveLength(1);
});

test('a full stream refuses, and forgets nothing', async () => {
  const small = await startLogs({ ...streamSettings, reportsMaxBytes: 20_000 });
  const outcomes: string[] = [];
  for (let n = 0; n < 30; n++)
    outcomes.push((await small.reports.append(`test${n}`, aReportWritten(), 0)).outcome);
  expect(outcomes[0]).toBe('appended');
  expect(outcomes.at(-1)).toBe('full');
  expect(await small.reports.read('test0')).toHaveLength(1);
  await small.end();
});

test('a securely erased event and view leave no trace on disk', async () => {
  const { connection, server, tests } = nats;
  const marker = 'marker-of-an-erased-mail.example';
  const event = anEvent('MailArrived', 1, { helo: marker });
  const created = await tests.append('bbbbbbbbbbbb', anEvent('TestCreated'), 0);
  if (created.outcome !== 'appended') throw new Error(created.outcome);
  const arrived = await tests.append('bbbbbbbbbbbb', event, created.seq);
  if (arrived.outcome !== 'appended') throw new Error(arrived.outcome);

  const views = kvProjection(connection, { bucket: 'reports', isValue: isReportView });
  const { report } = aReportWritten({ notes: [marker] }).data;
  await views.put('bbbbbbbbbbbb', { seq: 1, report });
  expect(await server.stores(marker)).toBe(true);

  await tests.erase(arrived.seq, 'secure');
  expect(await server.stores(marker)).toBe(true);
  await views.erase('bbbbbbbbbbbb');
  expect(await server.stores(marker)).toBe(false);
  expect(await tests.read('bbbbbbbbbbbb')).toHaveLength(1);
});

test('a server that is started with another key loses no event, and the error names the key', async () => {
  const server = await startNats({ encrypted: true });
  const config = join(dirname(server.storeDir), 'server.conf');
  const text = await readFile(config, 'utf8');
  const connect = () => connectNats({ url: server.url, name: 'key' });
  try {
    const first = await connect();
    await createStreams(first, streamSettings);
    await openLogs(first).tests.append('abcdefgh2345', anEvent('TestCreated'), 0);
    await first.close();
    for (const key of ['another', 'test']) {
      await server.stop();
      await writeFile(config, text.replace('key: test', `key: ${key}`));
      await server.start();
      const connection = await connect();
      const made = createStreams(connection, streamSettings);
      if (key === 'another') await expect(made).rejects.toThrow('NATS_JS_KEY');
      else await made;
      const events = await openLogs(connection)
        .tests.read('abcdefgh2345')
        .catch(() => []);
      expect(events).toHaveLength(key === 'test' ? 1 : 0);
      await connection.close();
    }
  } finally {
    await server.end();
  }
});
