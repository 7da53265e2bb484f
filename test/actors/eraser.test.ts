/**
 * Tests the actor that erases the events and reports of ended tests: what it erases, in which order and how
 * fast, which replica does it, and what happens after a restart, an outage or a full log.
 */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEraser } from '../../src/actors/eraser.ts';
import { followTests } from '../../src/actors/follower/follower.ts';
import { isReportWritten, isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import type { ReportView } from '../../src/projection/views.ts';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import { memoryProjection } from '../support/log/memory-kv.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

beforeEach(() => void vi.useFakeTimers({ now: T0 + 1000 }));
afterEach(() => void vi.useRealTimers());

function setUp() {
  const log = memoryLog({ isEvent: isTestEvent });
  const reports = memoryLog({ isEvent: isReportWritten });
  const reportViews = memoryProjection<ReportView>();
  const { logger } = keptLogger();
  function start(replica = 'replica-1', tests: Pick<typeof log, 'readRemains'> = log) {
    const follower = followTests({ log, clock: Date.now, logger });
    return startEraser({
      ...{ follower, reports, reportViews, replica, logger },
      tests: { ...log, ...tests },
    });
  }
  async function append(events: readonly TestEvent[], id = TEST_ID): Promise<void> {
    for (const event of events) {
      const last = (await log.read(id)).at(-1)?.seq ?? 0;
      expect(await log.append(id, event, last)).toMatchObject({ outcome: 'appended' });
    }
  }
  /** Appends the history of a test that was refused once, then read, and has ended. */
  async function appendHistory(id = TEST_ID): Promise<void> {
    const event = aReportWritten();
    const written = await reports.append(id, event, 0);
    if (written.outcome !== 'appended') throw new Error(written.outcome);
    await reportViews.put(id, { seq: written.seq, report: event.data.report });
    await append(
      [
        anEvent('TestCreated'),
        anEvent('MailRefused', 10),
        anEvent('MailArrived', 60),
        anEvent('AnalysisDone', 61, { report_seq: written.seq }),
        anEvent('Expired', 86_460),
      ],
      id,
    );
  }
  async function pass(milliseconds: number): Promise<void> {
    await log.delivered();
    await vi.advanceTimersByTimeAsync(milliseconds);
  }
  const typesOf = async (id = TEST_ID) => (await log.read(id)).map(({ event }) => event.type);
  return { log, reports, reportViews, start, append, appendHistory, pass, typesOf };
}

test('the end of a test erases everything but itself, and securely what is about the email', async () => {
  const { log, reports, reportViews, start, appendHistory, pass, typesOf } = setUp();
  start();
  await pass(0);
  await appendHistory();
  const typeAt = new Map(log.all().map(({ seq, event }) => [seq, event.type]));
  await pass(1000);
  expect(await typesOf()).toEqual(['Expired']);
  expect(reports.all()).toEqual([]);
  expect(reports.erased).toMatchObject([{ how: 'secure' }]);
  expect(reportViews.all().size).toBe(0);
  expect(log.erased.map(({ seq, how }) => [typeAt.get(seq), how])).toEqual([
    ['MailRefused', 'secure'],
    ['MailArrived', 'secure'],
    ['AnalysisDone', 'plain'],
    ['TestCreated', 'plain'],
  ]);
});

test('whatever a repair restored is erased securely, together with the history that it restored', async () => {
  const { log, start, append, pass, typesOf } = setUp();
  start();
  const events = [anEvent('TestCreated'), anEvent('MailArrived', 60)];
  await append([
    ...events,
    {
      ...{ v: 1, id: 'repair-1', type: 'HistoryRestored', at: events[1]?.at ?? '', by: 'repair' },
      data: { events },
    },
    anEvent('Expired', 86_460),
  ]);
  const typeAt = new Map(log.all().map(({ seq, event }) => [seq, event.type]));
  await pass(1000);
  expect(await typesOf()).toEqual(['Expired']);
  expect(log.erased.map(({ seq, how }) => [typeAt.get(seq), how])).toEqual([
    ['MailArrived', 'secure'],
    ['HistoryRestored', 'secure'],
    ['TestCreated', 'plain'],
  ]);
});

test('a test that its holder deleted is erased before those that have expired', async () => {
  const { start, append, appendHistory, pass, typesOf } = setUp();
  start();
  await pass(0);
  const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc', 'dddddddddddd'];
  for (const id of ids) await appendHistory(id);
  await append([anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('TestDeleted', 70)]);
  await pass(500);
  expect(await typesOf()).toEqual(['TestDeleted']);
  expect(await typesOf('dddddddddddd')).toContain('MailArrived');
  await pass(2000);
  for (const id of ids) expect(await typesOf(id)).toEqual(['Expired']);
});

test('an id cannot be created again after its end', async () => {
  const { log, start, appendHistory, pass } = setUp();
  start();
  await pass(0);
  await appendHistory();
  await pass(1000);
  expect(await log.append(TEST_ID, anEvent('TestCreated'), 0)).toMatchObject({ outcome: 'lost' });
});

test('only the replica that recorded the end erases the test', async () => {
  const { log, start, appendHistory, pass } = setUp();
  const { backlog } = start('replica-2');
  await pass(0);
  await appendHistory();
  await pass(1000);
  expect(log.erased).toEqual([]);
  expect(backlog()).toBe(0);
});

test('a replica that starts erases what others left behind, and nothing twice', async () => {
  const { log, start, appendHistory, pass, typesOf } = setUp();
  await appendHistory();
  start('replica-2');
  await pass(1000);
  expect(await typesOf()).toEqual(['Expired']);
  const { length } = log.erased;
  const third = start('replica-3');
  await pass(1000);
  expect(log.erased).toHaveLength(length);
  expect(third.backlog()).toBe(0);
});

test('a replica that starts in the middle of an erasure completes it', async () => {
  const { log, start, appendHistory, pass, typesOf } = setUp();
  await appendHistory();
  const { stop } = start('replica-2');
  await pass(120);
  await stop();
  expect(await typesOf()).toContain('TestCreated');
  expect(log.erased.length).toBeGreaterThan(0);
  start('replica-3');
  await pass(1000);
  expect(await typesOf()).toEqual(['Expired']);
});

test('a live test is never touched', async () => {
  const { log, start, append, pass } = setUp();
  await append([anEvent('TestCreated'), anEvent('MailArrived', 60)]);
  start();
  await append([anEvent('AnalysisTimeout', 120)]);
  await pass(5000);
  expect(log.erased).toEqual([]);
});

test('twenty erasures per second are made, and the backlog is what waits', async () => {
  const { log, reports, start, appendHistory, pass } = setUp();
  const { backlog } = start();
  await pass(0);
  const ids = Array.from({ length: 20 }, (_, n) => `test${n}`);
  for (const id of ids) await appendHistory(id);
  await pass(0);
  expect(backlog()).toBe(20);
  await pass(999);
  // Four per test: the copy, the report, the refusal and the arrival.
  const secure = () => [...log.erased, ...reports.erased].filter(({ how }) => how === 'secure');
  expect(secure().length).toBeLessThanOrEqual(16);
  await pass(3100);
  expect(secure()).toHaveLength(60);
  expect(backlog()).toBe(0);
});

test('hundreds of tests that end at the same time are erased as fast as possible', async () => {
  const { log, start, append, pass, typesOf } = setUp();
  const { backlog } = start();
  await pass(0);
  const ids = Array.from({ length: 300 }, (_, n) => `test${n}`);
  for (const id of ids)
    await append(
      [anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('Expired', 86_460)],
      id,
    );
  await pass(1);
  // The last tests are not erased in a hurry.
  expect(backlog()).toBeGreaterThan(32 - 8);
  expect(backlog()).toBeLessThanOrEqual(32);
  await pass(30_000);
  for (const id of ids) expect(await typesOf(id)).toEqual(['Expired']);
  expect(log.erased).toHaveLength(600);
});

test.each([
  [63, 8],
  [640, 18],
  [3200, 32],
])('of %d tests that wait for slow answers, %d are erased at once', async (waiting, most) => {
  const { log, start, append, pass } = setUp();
  const asked = new Set<string>();
  start('replica-1', {
    readRemains: (id) => {
      asked.add(id);
      return new Promise(() => {});
    },
  });
  await pass(0);
  log.pauseFollowers();
  for (let n = 0; n < waiting; n++)
    await append([anEvent('TestCreated'), anEvent('Expired', 86_460)], `test${n}`);
  log.resumeFollowers();
  await pass(1);
  expect(asked.size).toBe(most);
});

test('anything that could not be erased is erased after the outage', async () => {
  const { reports, start, appendHistory, pass, typesOf } = setUp();
  start();
  await pass(0);
  await appendHistory();
  reports.disconnect();
  await pass(6000);
  expect(await typesOf()).toContain('MailArrived');
  reports.reconnect();
  await pass(6000);
  expect(await typesOf()).toEqual(['Expired']);
});

test('an end that found no room is recorded instead of the test’s history', async () => {
  const { log, reports, reportViews, start, append, pass, typesOf } = setUp();
  const eraser = start();
  await pass(0);
  await reports.append(TEST_ID, aReportWritten(), 0);
  await append([anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('AnalysisDone', 61)]);
  const after = (await log.read(TEST_ID)).at(-1)?.seq ?? 0;

  log.failNext('full');
  eraser.makeRoom(TEST_ID, { event: anEvent('Expired', 86_460), after });
  await pass(1000);
  expect(await typesOf()).toEqual([]);
  expect(log.erased.map(({ how }) => how)).toEqual(['secure', 'plain', 'plain']);
  expect([await reports.read(TEST_ID), await reportViews.keys()]).toEqual([[], []]);

  await pass(6000);
  expect(await typesOf()).toEqual(['Expired']);
  expect(eraser.backlog()).toBe(0);
});

test('a test that has continued is not ended for lack of room', async () => {
  const { log, start, append, pass, typesOf } = setUp();
  const eraser = start();
  await pass(0);
  await append([anEvent('TestCreated')]);
  const after = (await log.read(TEST_ID)).at(-1)?.seq ?? 0;
  await append([anEvent('MailArrived', 60)]);
  eraser.makeRoom(TEST_ID, { event: anEvent('Expired', 86_400), after });
  await pass(6000);
  expect(await typesOf()).toEqual(['TestCreated', 'MailArrived']);
});
