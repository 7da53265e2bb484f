/**
 * Tests that the service refuses a log that has lost messages which were once in it, until an
 * operator accepts the loss.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { findLosses, highWater, readEnds } from '../../../src/adapters/nats/high-water.ts';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import { createMarks } from '../../../src/adapters/nats/streams.ts';
import type { Config } from '../../../src/config/config.ts';
import { isMark } from '../../../src/domain/high-water-marks.ts';
import { fileOfMarks, openMarks } from '../../../src/service/high-water-marks.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { keptLogger } from '../../support/process/silent-logger.ts';
import { until } from '../../support/process/until.ts';

let nats: Awaited<ReturnType<typeof startLogs>>;
let folder: string;
beforeAll(async () => {
  nats = await startLogs();
  folder = await mkdtemp(join(tmpdir(), 'marks-'));
});
afterAll(async () => {
  await nats?.end();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['went on', { seq: 5, missing: 0 }, { seq: 6, missing: 0 }, []],
  [
    'was cut',
    { seq: 5, missing: 0 },
    { seq: 3, missing: 0 },
    ['PAYMENTS ends at 3, but ended at 5 before'],
  ],
  [
    'lost one in between',
    { seq: 5, missing: 0 },
    { seq: 5, missing: 1 },
    ['PAYMENTS lacks 1 of its 5 messages'],
  ],
  ['lost one whose loss was accepted', { seq: 5, missing: 1 }, { seq: 6, missing: 1 }, []],
])('a stream that %s', (_, mark, end, losses) => {
  expect(findLosses({ PAYMENTS: mark }, { PAYMENTS: end })).toEqual(losses);
});

const open = (path: string, isOfOneStore = true) =>
  openMarks(nats.connection, { file: { path, isOfOneStore }, logger: keptLogger().logger });

test('a log that ends before its mark is refused by name, until the loss is accepted', async () => {
  const file = join(folder, 'one.json');
  const marks = await open(file);
  const appended = await nats.tests.append('abcdefgh2345', anEvent('TestCreated'), 0);
  if (appended.outcome !== 'appended') throw new Error(appended.outcome);
  await marks.stop();
  await open(file);

  const { streams } = nats.connection.jsm;
  const { config } = await streams.info('TESTS');
  await streams.delete('TESTS');
  await expect(open(file)).rejects.toThrow(`TESTS ends at 0, but ended at ${appended.seq} before`);
  await streams.add(config);
  await expect(open(file)).rejects.toThrow('accept-loss');
  await highWater(nats.connection).reset(await readEnds(nats.connection));
  await open(file);
});

test.each([
  ['of this store counts, whichever its streams are', true, 'another', 1, true],
  ['counts where the store was replaced by an older copy of itself', false, 'this', 1, true],
  ['of another cluster says nothing', false, 'another', 1, false],
  ['says nothing of what was accepted as lost since', false, 'this', -1, false],
])('a file %s', async (_, isOfOneStore, stream, later, isRefused) => {
  const { connection } = nats;
  const now = Date.now();
  const bucket = kvProjection(connection, { bucket: 'marks', isValue: isMark });
  await bucket.put('accepted', { seq: now, missing: 0 });
  const { created = '' } = (await readEnds(connection)).PAYMENTS ?? {};
  const path = join(folder, 'two.json');
  const mark = { seq: 7, missing: 0, created: stream === 'this' ? created : 'before' };
  const accepted = { seq: now + later, missing: 0 };
  await writeFile(path, JSON.stringify({ PAYMENTS: mark, accepted }));
  const opened = open(path, isOfOneStore);
  if (isRefused) await expect(opened).rejects.toThrow('PAYMENTS ends at 0, but ended at 7 before');
  else await opened;
});

test('a replica that finds another log than before warns about it', async () => {
  const path = join(folder, 'other.json');
  const kept = keptLogger();
  const lines = () => kept.lines.map(({ msg }) => msg);
  const mark = { seq: 7, missing: 0, created: 'before' };
  const accepted = { seq: Number.MAX_SAFE_INTEGER, missing: 0 };
  await writeFile(path, JSON.stringify({ PAYMENTS: mark, accepted }));
  const file = { path, isOfOneStore: false };
  const marks = await openMarks(nats.connection, { file, logger: kept.logger });
  expect(lines()).toEqual([expect.stringMatching(/^this is not the log that this replica used/)]);
  await marks.stop();
  await openMarks(nats.connection, { file, logger: kept.logger });
  expect(lines()).toHaveLength(1);
});

test('a loss that was accepted under a clock that is behind counts for the files of all replicas', async () => {
  const { connection } = nats;
  const ends = await readEnds(connection);
  const { created = '' } = ends.PAYMENTS ?? {};
  const path = join(folder, 'ahead.json');
  const accepted = { seq: Date.now() + 3_600_000, missing: 0 };
  const bucket = kvProjection(connection, { bucket: 'marks', isValue: isMark });
  await bucket.put('accepted', accepted);
  await writeFile(path, JSON.stringify({ PAYMENTS: { seq: 7, missing: 0, created }, accepted }));
  await expect(open(path, false)).rejects.toThrow('PAYMENTS ends at 0, but ended at 7 before');
  await highWater(connection).reset(ends);
  await open(path, false);
});

test('a replica that has no file yet writes one, with what was accepted', async () => {
  const path = join(folder, 'absent', 'high-water.json');
  const marks = await open(path, false);
  await marks.stop();
  const { TESTS, accepted } = JSON.parse(await readFile(path, 'utf8'));
  expect(TESTS).toEqual((await readEnds(nats.connection)).TESTS);
  expect(accepted.seq).toBeGreaterThan(0);
});

test('a replica does not start on the emptied server of its log until that is accepted', async () => {
  const emptied = await startNats();
  const connection = await connectNats({ url: emptied.url, name: 'test' });
  onTestFinished(async () => {
    await connection.close();
    await emptied.end();
  });
  const path = join(folder, 'emptied.json');
  const accepted = { seq: Date.now(), missing: 0 };
  const TESTS = { seq: 7, missing: 0, created: 'before' };
  await writeFile(path, JSON.stringify({ TESTS, accepted }));
  const file = { path, isOfOneStore: false };
  const start = () => openMarks(connection, { file, logger: keptLogger().logger });
  await expect(start()).rejects.toThrow('TESTS ends at 0, but ended at 7 before');
  await createMarks(connection);
  await highWater(connection).reset(await readEnds(connection));
  await start();
});

test('what a replica saw on another nats-server says nothing about its own store', async () => {
  const [elsewhere, own] = ['nats://127.0.0.1:4222', null].map((url) =>
    fileOfMarks({ nats: { url } as Config['nats'], dataDir: folder }),
  );
  const { connection } = nats;
  const { created } = (await readEnds(connection)).PAYMENTS ?? {};
  const mark = { seq: 7, missing: 0, ...(created && { created }) };
  const accepted = { seq: Number.MAX_SAFE_INTEGER, missing: 0 };
  await writeFile(elsewhere?.path ?? '', JSON.stringify({ PAYMENTS: mark, accepted }));
  const silent = keptLogger().logger;
  await expect(openMarks(connection, { file: elsewhere, logger: silent })).rejects.toThrow(
    'PAYMENTS ends at 0, but ended at 7 before',
  );
  await openMarks(connection, { file: own, logger: silent });
});

// nats-server leaves a stream like this if its files are gone or another's: empty, and with its last sequence
// number.
test('tests without their last event are refused by name until that is accepted, unless age removed it', async () => {
  const { connection, tests } = nats;
  const { streams } = connection.jsm;
  const file = join(folder, 'three.json');
  const appended = await tests.append('abcdefgh2346', anEvent('TestCreated'), 0);
  if (appended.outcome !== 'appended') throw new Error(appended.outcome);
  const lost = `TESTS lacks 1 of its ${appended.seq} messages`;
  await open(file);
  await streams.deleteMessage('TESTS', appended.seq);
  await expect(open(file)).rejects.toThrow(lost);
  await highWater(connection).reset(await readEnds(connection));
  await (await open(file)).stop();

  await tests.append('abcdefgh2347', anEvent('TestCreated'), 0);
  await streams.update('TESTS', { max_age: 1e9, duplicate_window: 1e9 });
  await until(async () => (await streams.info('TESTS')).state.messages === 0);
  const aged = await readEnds(connection);
  await nats.server.kill();
  await nats.server.start();
  expect(await readEnds(connection)).toEqual(aged);
  expect(aged.TESTS).toMatchObject({ seq: appended.seq + 1, missing: 0 });
});
