/**
 * Tests the actor that follows the log, keeps the current state of every test in memory, and asks
 * the leader of the log about what it has not seen.
 */

import { afterEach, expect, test } from 'vitest';
import { followTests, type TestFollower } from '../../src/actors/follower/follower.ts';
import { isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const DAY = 86_400_000;

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

function setUp({ now = T0 + 1000 } = {}) {
  const time = { now };
  const clock = () => time.now;
  const log = memoryLog({ isEvent: isTestEvent, clock });
  const { logger, lines } = keptLogger();
  function start(): TestFollower {
    const follower = followTests({ log, clock, logger });
    stop = follower.stop;
    return follower;
  }
  async function append(events: readonly TestEvent[], after = 0, id = TEST_ID): Promise<number> {
    let seq = after;
    for (const event of events) {
      const appended = await log.append(id, event, seq);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      seq = appended.seq;
    }
    return seq;
  }
  return { time, log, lines, start, append };
}

test('everything stored before the start is known when the follower is ready', async () => {
  const { start, append } = setUp();
  const seq = await append([anEvent('TestCreated'), anEvent('MailArrived', 60)]);
  const follower = start();
  expect(follower.caughtUp()).toBe(false);
  await follower.ready;
  expect(follower.caughtUp()).toBe(true);
  expect(follower.peek(TEST_ID)).toMatchObject({ seq, status: 'processing' });
  expect(follower.population()).toMatchObject({ processing: 1, waiting: 0 });
});

test('events stored more than 49 hours ago are not read again', async () => {
  const { time, log, start, append } = setUp();
  await append([anEvent('TestCreated')]);
  time.now = T0 + 49 * 3_600_000 + 2000;
  const follower = start();
  await follower.ready;
  await log.delivered();
  expect([...follower.rows()]).toEqual([]);
});

test('an event that is not allowed changes the position and nothing else', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const seq = await append([anEvent('TestCreated'), anEvent('AnalysisDone', 1)]);
  await log.delivered();
  expect(follower.peek(TEST_ID)).toMatchObject({ seq, status: 'waiting' });
});

test('a new test that the follower has not seen is read at the leader', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  await follower.ready;
  log.pauseFollowers();
  const seq = await append([anEvent('TestCreated')]);
  expect(follower.peek(TEST_ID)).toBeUndefined();
  const found = await Promise.all([follower.find(TEST_ID), follower.find(TEST_ID)]);
  expect(found).toMatchObject([{ seq }, { seq }]);
  expect(follower.peek(TEST_ID)).toMatchObject({ seq });
});

test('an event delivered after it was read at the leader counts once, and is reported once', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const notified: string[] = [];
  follower.listen(({ recorded }) => notified.push(recorded.event.type));
  log.pauseFollowers();
  await append([anEvent('TestCreated'), anEvent('MailRefused', 1), anEvent('MailRefused', 2)]);
  await follower.find(TEST_ID);
  const before = follower.peek(TEST_ID);
  log.resumeFollowers();
  await log.delivered();
  expect(follower.peek(TEST_ID)).toEqual(before);
  expect(notified).toEqual(['TestCreated', 'MailRefused', 'MailRefused']);
});

/** Reads at once, but hands the result over only when the returned function is called. */
function holdReads(log: ReturnType<typeof setUp>['log']): () => void {
  const { readRemains } = log;
  const gate = Promise.withResolvers<void>();
  log.readRemains = async (id) => {
    const remains = await readRemains(id);
    await gate.promise;
    return remains;
  };
  return gate.resolve;
}

test('a newer row is never replaced by an older reading', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const created = await append([anEvent('TestCreated')]);
  await log.delivered();
  // The read is answered before the email arrives, and its result is handed over after the arrival was
  // followed.
  const handOver = holdReads(log);
  const refreshed = follower.refresh(TEST_ID);
  const seq = await append([anEvent('MailArrived', 60)], created);
  await log.delivered();
  handOver();
  expect(await refreshed).toMatchObject({ seq, status: 'processing' });
});

test('a reading that overlaps with the end does not bring the test back', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const seq = await append([anEvent('TestCreated')]);
  const handOver = holdReads(log);
  const found = follower.refresh(TEST_ID);
  await append([anEvent('Expired', 86_400)], seq);
  await log.delivered();
  handOver();
  expect(await found).toBeUndefined();
  expect([...follower.rows()]).toEqual([]);
});

test('a refresh sees what another replica has just appended', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const created = await append([anEvent('TestCreated')]);
  await log.delivered();
  log.pauseFollowers();
  const seq = await append([anEvent('MailArrived', 60)], created);
  expect(follower.peek(TEST_ID)).toMatchObject({ seq: created });
  expect(await follower.refresh(TEST_ID)).toMatchObject({ seq, status: 'processing' });
});

test.each([
  ['a millisecond before its deletion a test is there', DAY - 1, true],
  ['at its deletion a test is gone, whether or not it was recorded', DAY, false],
])('%s', async (_, after, there) => {
  const { time, log, start, append } = setUp();
  const follower = start();
  await append([anEvent('TestCreated')]);
  await log.delivered();
  time.now = T0 + after;
  expect(follower.peek(TEST_ID) !== undefined).toBe(there);
  expect((await follower.find(TEST_ID)) !== undefined).toBe(there);
  expect((await follower.refresh(TEST_ID)) !== undefined).toBe(there);
});

test('a test is counted in its state until its end is recorded', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  let seq = await append([anEvent('TestCreated')]);
  await log.delivered();
  expect(follower.population()).toMatchObject({ waiting: 1, processing: 0 });
  seq = await append([anEvent('MailArrived', 60)], seq);
  await log.delivered();
  expect(follower.population()).toMatchObject({ waiting: 0, processing: 1 });
  await append([anEvent('Expired', 3 * DAY)], seq);
  await log.delivered();
  expect(follower.population()).toMatchObject({ waiting: 0, processing: 0 });
});

test('each change in memory calls back: an event, a freeze, an end', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const seen: (string | undefined)[] = [];
  follower.onRow((id) => {
    expect(id).toBe(TEST_ID);
    queueMicrotask(() => seen.push(follower.row(id)?.status));
  });
  const seq = await append([anEvent('TestCreated')]);
  await log.delivered();
  await append([anEvent('MailArrived', 60)], seq);
  await log.delivered();
  expect(seen).toEqual(['waiting', 'processing']);
  expect(follower.has(TEST_ID)).toBe(true);
  await follower.expectUpTo(TEST_ID, 99);
  await Promise.resolve();
  expect(seen).toEqual(['waiting', 'processing', undefined]);
  expect(follower.has(TEST_ID)).toBe(false);
});

test('a history that does not begin with a creation is not a test', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  const seq = await append([anEvent('TestCreated'), anEvent('MailArrived', 60)]);
  await append([anEvent('Expired', 90)], seq);
  const [created] = log.all();
  await log.erase(created?.seq ?? 0, 'plain');
  expect(await follower.find(TEST_ID)).toBeUndefined();
  await log.delivered();
  expect(await follower.find(TEST_ID)).toBeUndefined();
});

test('a listener that throws affects neither the rows nor the other listeners', async () => {
  const { log, lines, start, append } = setUp();
  const follower = start();
  const notified: string[] = [];
  follower.listen(() => {
    throw new Error('a defect');
  });
  follower.listen(({ recorded }) => notified.push(recorded.event.type));
  await append([anEvent('TestCreated')]);
  await log.delivered();
  expect(notified).toEqual(['TestCreated']);
  expect(lines).toMatchObject([{ msg: 'an event could not be handled' }]);
});

test('while the log is unavailable, known tests are served and others are an outage', async () => {
  const { log, start, append } = setUp();
  const follower = start();
  await append([anEvent('TestCreated')]);
  await log.delivered();
  log.disconnect();
  expect(await follower.find(TEST_ID)).toMatchObject({ status: 'waiting' });
  await expect(follower.find('zzzzzzzzzzzz')).rejects.toMatchObject({ code: 'log_unavailable' });
  await expect(follower.refresh(TEST_ID)).rejects.toMatchObject({ code: 'log_unavailable' });
});
