/**
 * Tests how a replica freezes a test whose history in the log is damaged, so that it decides
 * nothing about it, and how the freeze ends.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { followTests, type TestFollower } from '../../src/actors/follower/follower.ts';
import { isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { eventually } from '../support/process/eventually.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const damaged = { code: 'test_damaged' };
const READY = [anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('AnalysisDone', 61)];

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

function setUp() {
  const time = { now: T0 + 120_000 };
  const clock = () => time.now;
  const log = memoryLog({ isEvent: isTestEvent, clock });
  const { logger, lines } = keptLogger();
  async function start(): Promise<TestFollower> {
    const follower = followTests({ log, clock, logger, lookAgainMs: 20 });
    stop = follower.stop;
    await follower.ready;
    return follower;
  }
  async function append(events: readonly TestEvent[], after = 0): Promise<readonly number[]> {
    const places: number[] = [];
    for (const event of events) {
      const appended = await log.append(TEST_ID, event, places.at(-1) ?? after);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      places.push(appended.seq);
    }
    await log.delivered();
    return places;
  }
  return { time, log, lines, start, append };
}

describe('a test whose history is incomplete', () => {
  test.each([
    ['creation', 0],
    ['arrival', 1],
  ])('is frozen when its %s was lost', async (_, lost) => {
    const { log, lines, start, append } = setUp();
    const places = await append(READY);
    log.lose(places[lost] ?? 0);
    const follower = await start();
    await expect(follower.find(TEST_ID)).rejects.toMatchObject(damaged);
    await expect(follower.refresh(TEST_ID)).rejects.toMatchObject(damaged);
    expect(() => follower.peek(TEST_ID)).toThrow(expect.objectContaining(damaged));
    expect([follower.frozen(), follower.isDamaged(TEST_ID)]).toEqual([1, true]);
    expect([...follower.rows()]).toEqual([]);
    const seq = places[lost + 1];
    expect(lines).toMatchObject([{ level: 'error', test_id: TEST_ID, problem: 'hole', seq }]);
  });

  test.each([
    ['unreadable', 'no JSON, but a secret'],
    ['newer', JSON.stringify({ ...anEvent('MailArrived', 60), v: 2 })],
    ['newer', JSON.stringify({ ...anEvent('MailArrived', 60), type: 'MailQuarantined' })],
    ['wrong', JSON.stringify({ ...anEvent('MailArrived', 60), data: { attempt: 'one' } })],
  ])('is frozen while it contains something that is %s', async (problem, body) => {
    const { log, lines, start, append } = setUp();
    const follower = await start();
    await append([anEvent('TestCreated')]);
    const seq = log.putRaw(TEST_ID, body);
    await log.delivered();
    await eventually(() => expect(follower.frozen()).toBe(1));
    await expect(follower.find(TEST_ID)).rejects.toMatchObject(damaged);
    expect(lines).toMatchObject([
      { test_id: TEST_ID, seq, msg: 'message is not an event' },
      { test_id: TEST_ID, seq, problem, msg: expect.stringContaining('frozen') },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('is not shown to listeners, so that no timer fires and no view is written', async () => {
    const { log, start, append } = setUp();
    const places = await append(READY.slice(0, 2));
    log.lose(places[0] ?? 0);
    const follower = await start();
    const listener = vi.fn();
    follower.listen(listener);
    await append([anEvent('AnalysisDone', 61)], places[1]);
    expect(listener).not.toHaveBeenCalled();
  });

  test('ends like any other, and is no longer frozen', async () => {
    const { log, start, append } = setUp();
    const places = await append(READY);
    log.lose(places[1] ?? 0);
    const follower = await start();
    await expect(follower.find(TEST_ID)).rejects.toMatchObject(damaged);
    await append([anEvent('Expired', 86_460)], places[2]);
    expect(await follower.find(TEST_ID)).toBeUndefined();
    expect(follower.frozen()).toBe(0);
  });

  test('is forgotten when it would be deleted anyway', async () => {
    const { time, log, start, append } = setUp();
    const places = await append(READY);
    log.lose(places[1] ?? 0);
    const follower = await start();
    await expect(follower.find(TEST_ID)).rejects.toMatchObject(damaged);
    time.now += 25 * 3_600_000;
    expect(follower.frozen()).toBe(0);
  });
});

test('a follower that missed a message takes over the leader’s history', async () => {
  const { log, lines, start, append } = setUp();
  const follower = await start();
  const listener = vi.fn();
  follower.listen(listener);
  const [created = 0] = await append([anEvent('TestCreated')]);
  // As on a replica of the stream that lost the message: it is never delivered, but the leader still has it.
  const { readRemains } = log;
  const { seq, time } = { seq: created + 1, time: T0 };
  const missed = { id: TEST_ID, seq, time, event: anEvent('MailRefused', 30), after: created };
  log.readRemains = async (id) => {
    const { events, end } = await readRemains(id);
    return { events: [...events.slice(0, 1), missed, ...events.slice(1)], damage: undefined, end };
  };
  log.putRaw(TEST_ID, 'what this replica cannot read');
  await log.delivered();
  await eventually(() => expect(follower.peek(TEST_ID)).toMatchObject({ seq, refused: true }));
  expect(follower.frozen()).toBe(0);
  expect(listener).toHaveBeenLastCalledWith(
    expect.objectContaining({ row: expect.objectContaining({ refused: true }) }),
  );
  expect(lines).toMatchObject([{ msg: 'message is not an event' }]);
});

test('a test that is erased while it is read has no gaps', async () => {
  const { log, start, append } = setUp();
  const places = await append([...READY, anEvent('Expired', 86_460)]);
  log.lose(places[1] ?? 0);
  const follower = await start();
  expect(await follower.find(TEST_ID)).toBeUndefined();
  expect(follower.frozen()).toBe(0);
});

test('a test past its deletion that is erased before its end is recorded is not frozen', async () => {
  const { time, log, start, append } = setUp();
  const follower = await start();
  const places = await append(READY);
  time.now = T0 + 90_000_000;
  log.lose(places[1] ?? 0);
  expect(await follower.refresh(TEST_ID)).toBeUndefined();
  expect(follower.frozen()).toBe(0);
});

test('a test whose history is complete again is served again, and its listeners are told', async () => {
  const { log, start, append } = setUp();
  await append(READY);
  const follower = await start();
  const listener = vi.fn();
  follower.listen(listener);
  const seq = log.putRaw(TEST_ID, 'no event');
  await log.delivered();
  await eventually(() => expect(follower.frozen()).toBe(1));
  log.lose(seq);
  await eventually(() => expect(follower.frozen()).toBe(0));
  expect(follower.peek(TEST_ID)).toMatchObject({ status: 'ready' });
  expect(listener).toHaveBeenLastCalledWith(
    expect.objectContaining({ row: expect.objectContaining({ status: 'ready' }) }),
  );
});

test('a test whose end is lost stays frozen until the end is back', async () => {
  const { start, append } = setUp();
  const places = await append(READY.slice(0, 2));
  const follower = await start();
  await follower.expectUpTo(TEST_ID, (places[1] ?? 0) + 3);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(follower.frozen()).toBe(1);
  await append([anEvent('AnalysisDone', 61)], places[1]);
  await eventually(() => expect(follower.frozen()).toBe(0));
  expect(follower.peek(TEST_ID)).toMatchObject({ status: 'ready' });
});

test('a repair by an earlier release ends the freezing, and the history is what it restored', async () => {
  const { log, start, append } = setUp();
  const places = await append(READY);
  log.lose(places[1] ?? 0);
  const follower = await start();
  await expect(follower.find(TEST_ID)).rejects.toMatchObject(damaged);
  const repair: TestEvent = {
    ...{ v: 1, id: 'repair-1', type: 'HistoryRestored', at: READY[2]?.at ?? '', by: 'repair' },
    data: { events: READY },
  };
  await append([repair], places[2]);
  expect(follower.frozen()).toBe(0);
  expect(follower.peek(TEST_ID)).toMatchObject({ status: 'ready' });
  await append([anEvent('Expired', 86_460)], log.all().at(-1)?.seq);
  expect(follower.row(TEST_ID)).toBeUndefined();
});
