/**
 * Tests the actor that records an event when a deadline of a test has passed: in time, once among
 * replicas, and despite a full log or a clock that was set.
 */

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ending } from '../../src/actors/eraser.ts';
import { followTests } from '../../src/actors/follower/follower.ts';
import { earliestFirst, startTimekeeper } from '../../src/actors/timekeeper.ts';
import { isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { instant, T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const durations = { refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 60 };
const DAY = 86_400;
const STEP_MS = 50_000;

beforeEach(() => void vi.useFakeTimers({ now: T0 }));
afterEach(() => void vi.useRealTimers());

function setUp(random = () => 0.5) {
  const log = memoryLog({ isEvent: isTestEvent });
  const { logger, lines } = keptLogger();
  const unrecorded: [string, Ending][] = [];
  let ids = 0;
  function start(replica = 'one') {
    const follower = followTests({ log, clock: Date.now, logger });
    const timekeeper = startTimekeeper({
      log,
      follower,
      durations,
      clock: Date.now,
      random,
      newId: () => `${replica}-${++ids}`,
      replica,
      logger,
      onUnrecorded: (...args) => void unrecorded.push(args),
    });
    return { ...timekeeper, follower };
  }
  async function append(events: readonly TestEvent[], id = TEST_ID): Promise<void> {
    for (const event of events) {
      const last = (await log.read(id)).at(-1)?.seq ?? 0;
      expect(await log.append(id, event, last)).toMatchObject({ outcome: 'appended' });
    }
  }
  const fired = () => log.all().filter(({ event }) => 'fired_at' in event.data);
  const firedAs = () =>
    fired().map(({ event }) => `${event.type} ${(Date.parse(event.at) - T0) / 1000}`);
  /** Lets time pass in steps, because a delivery during a step is seen only at its end. */
  async function pass(seconds: number): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      await log.delivered();
      await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, end - Date.now()));
    }
    await log.delivered();
  }
  return { log, lines, unrecorded, start, append, fired, firedAs, pass };
}

test.each<[string, readonly TestEvent[], readonly string[]]>([
  ['an unused test', [], ['WindowClosed 3600', `Expired ${DAY}`]],
  [
    'a refused email',
    [anEvent('MailRefused', 10), anEvent('MailRefused', 100)],
    ['RefusalTimeout 910', `Expired ${DAY}`],
  ],
  ['a report', [anEvent('MailArrived', 20), anEvent('AnalysisDone', 21)], [`Expired ${DAY + 20}`]],
  [
    'a lost analysis',
    [anEvent('MailArrived', 20)],
    ['AnalysisTimeout 80', 'WindowClosed 3600', `Expired ${DAY}`],
  ],
  [
    'a third lost analysis',
    [
      anEvent('MailArrived', 20, { attempt: 1 }),
      anEvent('AnalysisTimeout', 80, { attempt: 1 }),
      anEvent('MailArrived', 100, { attempt: 2 }),
      anEvent('AnalysisTimeout', 160, { attempt: 2 }),
      anEvent('MailArrived', 200, { attempt: 3 }),
    ],
    ['AnalysisTimeout 260', `Expired ${DAY + 200}`],
  ],
])('%s has its deadlines at the right times', async (_, events, expected) => {
  const { start, append, fired, firedAs, pass } = setUp();
  start();
  await append([anEvent('TestCreated'), ...events]);
  const before = fired().length;
  await pass(DAY + 300);
  expect(firedAs().slice(before)).toEqual(expected);
});

test('a deadline fires within 200 ms, and not a millisecond early', async () => {
  const { start, append, fired, pass } = setUp(() => 1);
  start();
  await append([anEvent('TestCreated')]);
  await pass(3600.199);
  expect(fired()).toEqual([]);
  await pass(0.001);
  expect(fired()).toMatchObject([
    { event: { at: instant(3600), data: { fired_at: instant(3600.2) } } },
  ]);
});

test('three replicas fire a deadline once', async () => {
  const { start, append, firedAs, pass } = setUp(() => 0);
  for (const replica of ['one', 'two', 'three']) start(replica);
  await append([anEvent('TestCreated')]);
  await pass(DAY + 1);
  expect(firedAs()).toEqual(['WindowClosed 3600', `Expired ${DAY}`]);
});

test('nothing fires before the replica has caught up; then whatever is overdue fires at once', async () => {
  const { log, start, append, firedAs, pass } = setUp();
  await append([anEvent('TestCreated')]);
  await pass(DAY + 100);
  log.pauseFollowers();
  start();
  await pass(100);
  expect(firedAs()).toEqual([]);
  log.resumeFollowers();
  await pass(0.2);
  await pass(0.2);
  expect(firedAs()).toEqual(['WindowClosed 3600', `Expired ${DAY}`]);
});

test('events that arrived in the meantime are seen before a deadline fires', async () => {
  const { start, append, firedAs, pass } = setUp(() => 1);
  start();
  await append([anEvent('TestCreated')]);
  await pass(3600.1);
  await append([anEvent('MailArrived', 3599.9)]);
  await pass(10);
  expect(firedAs()).toEqual([]);
});

test('an event is never dated before the one before it', async () => {
  const { start, append, fired, pass } = setUp();
  start();
  await append([anEvent('TestCreated')]);
  // A replica whose clock is ahead received the email, and the deadline falls before that time.
  await append([anEvent('MailRefused', 100), anEvent('MailRefused', 1200)]);
  await pass(1001);
  expect(fired()).toMatchObject([{ event: { type: 'RefusalTimeout', at: instant(1200) } }]);
});

test.each(['unknown', 'unknown_but_stored'] as const)(
  'a deadline whose append is %s is checked again after 500 ms and fires once',
  async (fault) => {
    const { log, start, append, firedAs, pass } = setUp(() => 0);
    start();
    await append([anEvent('TestCreated')]);
    log.failNext(fault);
    await pass(3600.4);
    expect(firedAs()).toHaveLength(fault === 'unknown' ? 0 : 1);
    await pass(0.2);
    expect(firedAs()).toEqual(['WindowClosed 3600']);
  },
);

test('a deadline that lost to an event of the test gives way', async () => {
  const { log, start, append, firedAs, pass } = setUp(() => 0);
  start();
  await append([anEvent('TestCreated')]);
  log.race(anEvent('MailArrived', 3599));
  await pass(3601);
  expect(firedAs()).toEqual([]);
});

test('a full log is reported, and the deadline fires when there is room', async () => {
  const { log, lines, start, append, firedAs, pass } = setUp();
  start();
  await append([anEvent('TestCreated')]);
  log.failNext('full');
  await pass(3650);
  expect(firedAs()).toEqual([]);
  expect(lines).toMatchObject([{ type: 'WindowClosed', msg: 'the log accepts no more events' }]);
  await pass(20);
  expect(firedAs()).toEqual(['WindowClosed 3600']);
});

test('at most 64 appends are in progress, and every deadline fires', async () => {
  const { log, start, append, fired, pass } = setUp(() => 0);
  start();
  const ids = Array.from({ length: 600 }, (_, n) => `test${n}`);
  for (const id of ids) await append([anEvent('TestCreated')], id);
  let open = 0;
  let most = 0;
  const { append: original } = log;
  log.append = async (...args) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 10));
    open--;
    return original(...args);
  };
  await pass(3601);
  expect(fired()).toHaveLength(600);
  expect(most).toBe(64);
});

test('a deadline of 30 days from now does not overflow', async () => {
  const { start, append, firedAs, pass } = setUp();
  start();
  await append([
    anEvent('TestCreated', 0, { send_before: instant(30 * DAY), expires_at: instant(60 * DAY) }),
  ]);
  const naps = vi.fn(setTimeout);
  vi.stubGlobal('setTimeout', naps);
  await pass(3600);
  vi.unstubAllGlobals();
  expect(firedAs()).toEqual([]);
  expect(Math.max(...naps.mock.calls.map(([, nap = 0]) => nap))).toBeLessThan(2 ** 31);
  vi.setSystemTime(T0 + 30 * DAY * 1000);
  await pass(10);
  expect(firedAs()).toEqual([`WindowClosed ${30 * DAY}`]);
});

test('a clock that is set ahead is detected within 5 s', async () => {
  const { start, append, firedAs, pass } = setUp();
  start();
  await append([anEvent('TestCreated')]);
  await pass(1);
  vi.setSystemTime(T0 + 3601_000);
  await pass(5);
  await pass(0.2);
  expect(firedAs()).toEqual(['WindowClosed 3600']);
});

test('a clock that is set back makes a deadline wait, and does not check it more often', async () => {
  const { start, append, firedAs, pass } = setUp();
  start();
  await append([anEvent('TestCreated')]);
  await pass(3599);
  vi.setSystemTime(T0);
  const clockReads = vi.spyOn(Date, 'now');
  await vi.advanceTimersByTimeAsync(3600_000);
  expect(clockReads.mock.calls.length).toBeLessThan(1000);
  expect(firedAs()).toEqual([]);
  await pass(1);
  expect(firedAs()).toEqual(['WindowClosed 3600']);
});

test.each(['unknown', 'full'] as const)(
  'a deadline whose append was %s under a clock set ahead fires when it is due',
  async (fault) => {
    const { log, start, append, firedAs, pass } = setUp();
    start();
    await append([anEvent('TestCreated')]);
    await pass(4.9);
    vi.setSystemTime(T0 + 2 * 3600_000);
    log.failNext(fault);
    await pass(0.3);
    vi.setSystemTime(T0 + 5000);
    await pass(3590);
    expect(firedAs()).toEqual([]);
    await pass(10);
    expect(firedAs()).toEqual(['WindowClosed 3600']);
  },
);

test('a stopped timekeeper fires nothing more', async () => {
  const { start, append, fired, pass } = setUp();
  const { stop } = start();
  await append([anEvent('TestCreated')]);
  await pass(1);
  await stop();
  await pass(DAY);
  expect(fired()).toEqual([]);
});

test('a heap returns its items in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (instants) => {
      const heap = earliestFirst<{ dueAt: number }>();
      for (const dueAt of instants) heap.push({ dueAt });
      const popped = instants.map(() => heap.pop()?.dueAt);
      expect(popped).toEqual([...instants].sort((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

test('an end without room is passed on, and so is one whose outcome is unknown', async () => {
  const { log, unrecorded, start, append, pass } = setUp();
  await append([anEvent('TestCreated'), anEvent('WindowClosed', 3600)]);
  start();
  const after = log.all().at(-1)?.seq;
  log.failNext('full', 'unknown');
  await pass(DAY + 100);
  expect(unrecorded).toMatchObject([
    [TEST_ID, { after, event: { type: 'Expired' } }],
    [TEST_ID, { after, event: { type: 'Expired' } }],
  ]);
});
