/** Tests concurrent publishing to JetStream: each publish gets its own sequence number or error. */

import { errors } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, codes, isOutage } from '../../../src/adapters/nats/outage.ts';
import { startLogs } from '../../support/log/nats-log.ts';

let logs: Awaited<ReturnType<typeof startLogs>>;
beforeAll(async () => {
  logs = await startLogs();
});
afterAll(() => logs.end());

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('each publish gets its own sequence number, however many are in progress', async () => {
  const { publish, jsm } = logs.connection;
  const subjects = Array.from({ length: 100 }, (_, n) => `tests.many${n}`);
  const seqs = await Promise.all(subjects.map((subject) => publish(subject, subject, 0)));
  for (const [n, seq] of seqs.entries())
    expect(await jsm.streams.getMessage('TESTS', { seq })).toMatchObject({ subject: subjects[n] });
});

test('a refusal by the stream is reported with its code', async () => {
  const { publish } = logs.connection;
  const seq = await publish('tests.taken', 'one', 0);
  expect(codeOf(await failureOf(publish('tests.taken', 'two', 0)))).toBe(codes.wrongLastSequence);
  expect(await publish('tests.taken', 'two', seq)).toBeGreaterThan(seq);
});

test('a subject without a stream is an outage', async () => {
  const { publish } = logs.connection;
  expect(isOutage(await failureOf(publish('nowhere.at.all', 'one', 0)))).toBe(true);
});

test('a publish without an answer ends after its time, as an outage', async () => {
  const { publish, nc } = logs.connection;
  nc.subscribe('silent.one');
  const error = await failureOf(publish('silent.one', 'one', 0, 50));
  expect(error).toBeInstanceOf(errors.TimeoutError);
  expect(isOutage(error)).toBe(true);
});

test('when the connection is closed, publishes in progress end at once', async () => {
  const another = await startLogs();
  const { nc, publish } = another.connection;
  nc.subscribe('silent.one');
  const waiting = failureOf(publish('silent.one', 'one', 0, 60_000));
  await another.end();
  expect(isOutage(await waiting)).toBe(true);
  expect(isOutage(await failureOf(publish('tests.late', 'one', 0)))).toBe(true);
});
