import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLosses, highWater, readEnds } from '../../../src/adapters/nats/high-water.ts';
import { openMarks } from '../../../src/service/marks.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
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
    ['PAYMENTS lacks 1 of 5'],
  ],
  ['lost one whose loss was accepted', { seq: 5, missing: 1 }, { seq: 6, missing: 1 }, []],
])('a stream that %s', (_, mark, end, losses) => {
  expect(findLosses({ PAYMENTS: mark }, { PAYMENTS: end })).toEqual(losses);
});

const open = (file: string) => openMarks(nats.connection, { file, logger: keptLogger().logger });

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
  await highWater(nats.connection, file).reset(await readEnds(nats.connection));
  await open(file);
});

test('the file counts where the store was replaced by an older copy of itself', async () => {
  const file = join(folder, 'two.json');
  await writeFile(file, JSON.stringify({ PAYMENTS: { seq: 7, missing: 0 } }));
  await expect(open(file)).rejects.toThrow('PAYMENTS ends at 0, but ended at 7 before');
  await expect(open(join(folder, 'absent.json'))).resolves.toBeDefined();
});

// As nats-server leaves a stream whose files are of another, or gone: empty, and with its last sequence.
test('tests without their last event are refused by name until that is accepted, unless age removed it', async () => {
  const { connection, tests } = nats;
  const { streams } = connection.jsm;
  const file = join(folder, 'three.json');
  const appended = await tests.append('abcdefgh2346', anEvent('TestCreated'), 0);
  if (appended.outcome !== 'appended') throw new Error(appended.outcome);
  const lost = `TESTS lacks 1 of ${appended.seq}`;
  await open(file);
  await streams.deleteMessage('TESTS', appended.seq);
  await expect(open(file)).rejects.toThrow(lost);
  await highWater(connection, file).reset(await readEnds(connection));
  await (await open(file)).stop();

  await tests.append('abcdefgh2347', anEvent('TestCreated'), 0);
  await streams.update('TESTS', { max_age: 1e9, duplicate_window: 1e9 });
  await until(async () => (await streams.info('TESTS')).state.messages === 0);
  const aged = await readEnds(connection);
  await nats.server.kill();
  await nats.server.start();
  expect(await readEnds(connection)).toEqual(aged);
  expect(aged.TESTS).toEqual({ seq: appended.seq + 1, missing: 0 });
});
