/**
 * Tests the actor that writes the buckets `status` and `reports` from the log, and that finds in
 * them the tests whose last events are missing from the log.
 */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followTests } from '../../src/actors/follower/follower.ts';
import { startProjector } from '../../src/actors/projector.ts';
import { isReportWritten, isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import { isStatusView, type StatusView } from '../../src/domain/status-view.ts';
import { isReportView, type ReportView } from '../../src/projection/views.ts';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import { memoryProjection } from '../support/log/memory-kv.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { instant, T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

beforeEach(() => void vi.useFakeTimers({ now: T0 + 1000 }));
afterEach(() => void vi.useRealTimers());

const reportJson = () => new TextEncoder().encode(JSON.stringify(aReportWritten().data.report));

function setUp(random = () => 0.5) {
  const log = memoryLog({ isEvent: isTestEvent });
  const reports = memoryLog({ isEvent: isReportWritten });
  const statusViews = memoryProjection<StatusView>();
  const reportViews = memoryProjection<ReportView>();
  const { logger, lines } = keptLogger();
  async function start(replica = 'replica-1') {
    const clock = Date.now;
    const follower = followTests({ log, clock, logger });
    const views = { statusViews, reportViews };
    const projector = startProjector({
      follower,
      reports,
      ...views,
      clock,
      random,
      replica,
      logger,
    });
    await projector.ready;
    return projector;
  }
  async function append(events: readonly TestEvent[]): Promise<number> {
    let seq = (await log.read(TEST_ID)).at(-1)?.seq ?? 0;
    for (const event of events) {
      const appended = await log.append(TEST_ID, event, seq);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      seq = appended.seq;
    }
    return seq;
  }
  /** Appends a test whose report is written, and returns the position of the report. */
  async function appendReady(): Promise<number> {
    const written = await reports.append(TEST_ID, aReportWritten(), 0);
    if (written.outcome !== 'appended') throw new Error(written.outcome);
    const done = anEvent('AnalysisDone', 61, { report_seq: written.seq });
    await append([anEvent('TestCreated'), anEvent('MailArrived', 60), done]);
    return written.seq;
  }
  async function pass(milliseconds = 1): Promise<void> {
    await log.delivered();
    await vi.advanceTimersByTimeAsync(milliseconds);
  }
  const status = () => statusViews.all().get(TEST_ID);
  const report = () => reportViews.all().get(TEST_ID);
  return {
    log,
    reports,
    statusViews,
    reportViews,
    lines,
    start,
    append,
    appendReady,
    pass,
    status,
    report,
  };
}

test('each event updates the status to its position', async () => {
  const { start, append, pass, status } = setUp();
  await start();
  const created = await append([anEvent('TestCreated')]);
  await pass();
  const line = {
    seq: created,
    status: 'waiting',
    refused: false,
    send_before: instant(3600),
    received_at: null,
    expires_at: instant(86_400),
  };
  expect(status()).toEqual(line);
  expect(isStatusView(status())).toBe(true);
  const arrived = await append([anEvent('MailArrived', 60)]);
  // An analysis that ends in the meantime writes its report once.
  await pass(999);
  expect(status()).toEqual(line);
  await pass(2000);
  expect(status()).toEqual({
    ...line,
    seq: arrived,
    status: 'processing',
    received_at: instant(60),
    expires_at: instant(86_460),
  });
});

test('a status contains no hash, address or domain', async () => {
  const { start, appendReady, pass, status } = setUp();
  await start();
  await appendReady();
  await pass();
  expect(JSON.stringify(status())).not.toMatch(/aaaa|dddd|192\.0\.2|sender\.example/);
});

test('the replica that finished an analysis copies its report at once', async () => {
  const { start, appendReady, pass, report } = setUp();
  await start('replica-1');
  const seq = await appendReady();
  await pass();
  expect(report()).toEqual({ seq, report: aReportWritten().data.report });
  expect(isReportView(report())).toBe(true);
});

test('a report that its author offers is written without a look at the log or the bucket', async () => {
  const { start, appendReady, pass, report, reports, reportViews } = setUp();
  const { offerReport } = await start('replica-1');
  const readAt = vi.spyOn(reports, 'readAt');
  const has = vi.spyOn(reportViews, 'has');
  offerReport(TEST_ID, 3, reportJson());
  expect(await appendReady()).toBe(3);
  await pass();
  expect(report()).toEqual({ seq: 3, report: aReportWritten().data.report });
  expect(readAt).not.toHaveBeenCalled();
  expect(has).not.toHaveBeenCalled();
});

test('a report that was offered but is not the one named is read from the log', async () => {
  const { start, appendReady, pass, report } = setUp();
  const { offerReport } = await start('replica-1');
  offerReport(TEST_ID, 99, reportJson());
  const seq = await appendReady();
  await pass();
  expect(report()?.seq).toBe(seq);
});

test.each([
  [0, 1000],
  [1, 3000],
])(
  'the other replicas copy it if it is still missing (random %d: after %d ms)',
  async (random, ms) => {
    const { start, appendReady, pass, report } = setUp(() => random);
    await start('replica-2');
    await appendReady();
    await pass(ms - 1);
    expect(report()).toBeUndefined();
    await pass(1);
    await pass();
    expect(report()).toBeDefined();
  },
);

test('the other replicas check whether a report exists without reading it', async () => {
  const { start, appendReady, pass, reports, reportViews } = setUp();
  await start('replica-1');
  await start('replica-2');
  await appendReady();
  const readAt = vi.spyOn(reports, 'readAt');
  const get = vi.spyOn(reportViews, 'get');
  const has = vi.spyOn(reportViews, 'has');
  await pass(5000);
  // The author looks once before it writes its own copy, and the other replica looks once.
  expect(has).toHaveBeenCalledTimes(2);
  expect(get).not.toHaveBeenCalled();
  expect(readAt).toHaveBeenCalledTimes(1);
});

test('an existing report is not written again, because its retention counts from the writing', async () => {
  const { reportViews, start, appendReady, pass } = setUp();
  let puts = 0;
  const { put } = reportViews;
  reportViews.put = (...args) => {
    puts++;
    return put(...args);
  };
  await start('replica-1');
  await start('replica-2');
  await appendReady();
  await pass(5000);
  await start('replica-1');
  await pass(5000);
  await pass(5000);
  expect(puts).toBe(1);
});

test('a report that no analysis names is not copied', async () => {
  const { reports, start, appendReady, pass, report } = setUp();
  await reports.append(TEST_ID, aReportWritten({ score: 1 }), 0);
  const first = (await reports.read(TEST_ID)).at(-1)?.seq ?? 0;
  const written = await reports.append(TEST_ID, aReportWritten({ score: 2 }), first);
  if (written.outcome !== 'appended') throw new Error(written.outcome);
  reports.append = async () => written;
  await start();
  await appendReady();
  await pass();
  expect(report()).toMatchObject({ seq: written.seq, report: { score: 2 } });
});

test('a replica that starts writes what is missing', async () => {
  const { start, appendReady, pass, status, report } = setUp();
  await appendReady();
  await start('replica-2');
  await pass(3000);
  await pass();
  expect(status()).toMatchObject({ status: 'ready' });
  expect(report()).toBeDefined();
});

test('a test that ended has no status', async () => {
  const { start, append, pass, status } = setUp();
  await start();
  await append([anEvent('TestCreated')]);
  await pass();
  await append([anEvent('Expired', 86_400)]);
  await pass();
  expect(status()).toBeUndefined();
});

test('a test that ended while no replica was running has no status', async () => {
  const { statusViews, start, append, pass, status } = setUp();
  const seq = await append([anEvent('TestCreated')]);
  await append([anEvent('Expired', 86_400)]);
  const { expires_at, send_before } = { expires_at: instant(86_400), send_before: instant(3600) };
  const line = { status: 'waiting', refused: false, received_at: null } as const;
  await statusViews.put(TEST_ID, { ...line, seq, send_before, expires_at });
  await start();
  await pass();
  expect(status()).toBeUndefined();
});

test('a report is not copied after its test has ended', async () => {
  const { start, append, appendReady, pass, report } = setUp();
  await start('replica-2');
  await appendReady();
  await append([anEvent('Expired', 86_460)]);
  await pass(5000);
  expect(report()).toBeUndefined();
});

test('a report that is gone leads to a warning', async () => {
  const { reports, lines, start, appendReady, pass, report } = setUp();
  const seq = await appendReady();
  await reports.erase(seq, 'secure');
  await start();
  await pass(5000);
  expect(report()).toBeUndefined();
  expect(lines).toMatchObject([{ test_id: TEST_ID, seq, msg: 'the report of a test is gone' }]);
});

test('views are written after an outage', async () => {
  const { statusViews, reportViews, lines, start, appendReady, pass, status, report } = setUp();
  statusViews.disconnect();
  reportViews.disconnect();
  await start('replica-1');
  await appendReady();
  await pass(1200);
  // Both entries are written again and again, but the failure is logged only once.
  expect(lines.filter(({ msg }) => String(msg).startsWith('bucket not written'))).toHaveLength(1);
  statusViews.reconnect();
  reportViews.reconnect();
  await pass(1000);
  expect(status()).toMatchObject({ status: 'ready' });
  expect(report()).toBeDefined();
});

test('racing replicas leave the newest entry', async () => {
  const { start, append, pass, status } = setUp();
  // As if each of the replicas had written the events.
  for (let n = 0; n < 3; n++) await start('replica-1');
  await append([anEvent('TestCreated')]);
  for (let n = 1; n <= 10; n++) await append([anEvent('MailRefused', n)]);
  const seq = await append([anEvent('RefusalTimeout', 901)]);
  await pass();
  expect(status()).toMatchObject({ seq, status: 'rejected_or_not_received' });
});

test('the status after an event of another replica is left to that replica', async () => {
  const { start, append, pass, status } = setUp();
  await start('replica-2');
  await append([anEvent('TestCreated')]);
  await pass(5000);
  expect(status()).toBeUndefined();
});

test('at the start, only entries that differ are written', async () => {
  const { statusViews, start, append, pass, status } = setUp();
  const seq = await append([anEvent('TestCreated')]);
  await start();
  await pass();
  expect(status()).toMatchObject({ seq });
  const put = vi.spyOn(statusViews, 'put');
  const get = vi.spyOn(statusViews, 'get');
  await start();
  await pass();
  expect(put).not.toHaveBeenCalled();
  expect(get).not.toHaveBeenCalled();
});

test.each([
  ['its line alone shows', true],
  ['nothing shows without its line', false],
])('a last event that was lost in the middle of the stream: %s', async (_, hasLine) => {
  const { log, statusViews, lines, start, appendReady, pass, status } = setUp();
  await start();
  await appendReady();
  await pass();
  const seq = status()?.seq ?? 0;
  await log.append('another', anEvent('TestCreated'), 0);
  log.lose(seq);
  if (!hasLine) await statusViews.erase(TEST_ID);
  const before = status();
  await start();
  await pass(5000);
  const frozen = expect.objectContaining({ test_id: TEST_ID, problem: 'tail', seq });
  if (hasLine) expect(lines).toContainEqual(frozen);
  else expect(lines).toEqual([]);
  // The entry is not overwritten by anything that is left.
  if (hasLine) expect(status()).toEqual(before);
});

test('a test of which only the status is left is frozen before the replica is ready', async () => {
  const { log, lines, start, append, pass } = setUp();
  const seq = await append([anEvent('TestCreated')]);
  await start();
  await pass();
  log.lose(seq);
  await start();
  expect(lines).toContainEqual(expect.objectContaining({ test_id: TEST_ID, problem: 'tail', seq }));
});

test('a test of which only the copy of its report is left is frozen', async () => {
  const { log, statusViews, lines, start, appendReady, append, pass } = setUp();
  await start();
  await appendReady();
  await pass();
  const frozen = expect.objectContaining({ test_id: TEST_ID, problem: 'tail' });
  for (const { seq } of await log.read(TEST_ID)) log.lose(seq);
  await statusViews.erase(TEST_ID);
  await start();
  expect(lines).toContainEqual(frozen);

  // A test that has ended, and whose copy has yet to be erased, is not written.
  lines.length = 0;
  await append([anEvent('TestCreated'), anEvent('TestDeleted', 90)]);
  await start();
  expect(lines).not.toContainEqual(frozen);
});
