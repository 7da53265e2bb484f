/**
 * Runs the tests of every event log on a real nats-server, and tests its time limit, its size, its
 * requests and its reaction to an older copy of a stream.
 */

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTest } from '../../../src/api/routes/create-test.ts';
import { settings } from '../../api/harness.ts';
import { describeEventLog } from '../../contracts/event-log.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { TEST_ID } from '../../support/process/instants.ts';

describeEventLog('on a nats-server', async () => {
  const { connection, tests, ...rest } = await startLogs();
  return {
    log: tests,
    putRaw: async (id, body) => void (await connection.js.publish(`tests.${id}`, body)),
    ...rest,
  };
});

test('less than a millisecond is too short for an answer, but not a defect', async () => {
  const { tests, end } = await startLogs();
  onTestFinished(end);
  expect(await tests.append(TEST_ID, anEvent('TestCreated'), 0, 0.9)).toEqual({
    outcome: 'unknown',
  });
});

/** Most bytes that a creation may take. With a header for de-duplication and a longer id, it took 447. */
const MOST_BYTES = 400;

test('the creation of a test takes up little of the log', async () => {
  const { tests, connection, end } = await startLogs();
  onTestFinished(end);
  const sizeOf = async () => (await connection.jsm.streams.info('TESTS')).state.bytes;
  const before = await sizeOf();
  await createTest(
    {
      tests,
      creation: { admit: () => null, room: () => 1 },
      clock: Date.now,
      random: randomBytes,
      settings: { ...settings(), replicaId: 'mailtest-1.example.net-12345' },
    },
    '192.0.2.1',
  );
  const size = (await sizeOf()) - before;
  expect(size).toBeGreaterThan(200);
  expect(size).toBeLessThanOrEqual(MOST_BYTES);
});

test('a history costs one request for each of its messages', async () => {
  const { tests, connection, end } = await startLogs();
  onTestFinished(end);
  const requests = vi.spyOn(connection.jsm.streams, 'getMessage');
  let seq = 0;
  for (const [at, type] of (['TestCreated', 'MailArrived', 'AnalysisFailed'] as const).entries()) {
    const appended = await tests.append(TEST_ID, anEvent(type), seq);
    seq = 'seq' in appended ? appended.seq : 0;
    requests.mockClear();
    expect(await tests.read(TEST_ID)).toHaveLength(at + 1);
    expect(requests).toHaveBeenCalledTimes(at + 1);
  }
});

test('an append during the request does not look like an older copy of the stream', async () => {
  const { tests, connection, end } = await startLogs();
  onTestFinished(end);
  const { streams } = connection.jsm;
  const { info } = streams;
  vi.spyOn(streams, 'info').mockImplementationOnce(async (...asked) => {
    const answer = await info.apply(streams, asked);
    await tests.append(TEST_ID, anEvent('TestCreated'), 0);
    return answer;
  });
  expect(await tests.read('abcdefgh2346')).toEqual([]);
  expect(await tests.read(TEST_ID)).toHaveLength(1);
});

test('an older copy of the stream, restored in the meantime, is not asked what it contains', async () => {
  const { tests, connection, end } = await startLogs();
  onTestFinished(end);
  await tests.append(TEST_ID, anEvent('TestCreated'), 0);
  expect(await tests.read('abcdefgh2346')).toEqual([]);
  const { streams } = connection.jsm;
  const { config } = await streams.info('TESTS');
  await streams.delete('TESTS');
  await streams.add(config);
  await expect(tests.read(TEST_ID)).rejects.toThrow(
    expect.objectContaining({ code: 'log_unavailable' }),
  );
});
