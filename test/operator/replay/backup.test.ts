/** Tests `replay backup` and `replay restore` on logs in memory. */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReportWritten, isTestEvent, type TestEvent } from '../../../src/domain/events.ts';
import { isPaymentEvent } from '../../../src/domain/payment-events.ts';
import { backUp } from '../../../src/operator/replay/backup.ts';
import { restore } from '../../../src/operator/replay/restore.ts';
import type { EventLog, FollowOptions } from '../../../src/ports/log.ts';
import { foldPayment } from '../../../src/projection/fold.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import { memoryClaims } from '../../support/log/memory-kv.ts';
import { memoryLog } from '../../support/log/memory-log.ts';

const [READY, ENDED, BROKEN] = ['abcdefgh2345', 'bbbbbbbbbbbb', 'cccccccccccc'] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newLogs = () => ({
  tests: memoryLog({ isEvent: isTestEvent }),
  reports: memoryLog({ isEvent: isReportWritten }),
  payments: memoryLog({ isEvent: isPaymentEvent }),
  allClaims: memoryClaims().store,
});

async function append<E>(log: EventLog<E>, id: string, events: readonly E[]): Promise<number> {
  let seq = 0;
  for (const event of events) {
    const appended = await log.append(id, event, seq);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seq = appended.seq;
  }
  return seq;
}

/** Returns a log with one test that is paid for, and one that has ended and was erased. */
async function filled() {
  const logs = newLogs();
  await append(logs.reports, ENDED, [aReportWritten()]);
  const report_seq = await append(logs.reports, READY, [aReportWritten()]);
  await append(logs.tests, READY, [
    anEvent('TestCreated'),
    anEvent('MailArrived', 60),
    anEvent('AnalysisDone', 61, { report_seq }),
  ]);
  const started = aPaymentEvent('SettlementStarted', 64);
  await append(logs.payments, READY, [started, aPaymentEvent('PaymentSettled', 65)]);
  const claim = { id: READY, at: started.at, by: 'replica-1', from_block: 100 };
  await logs.allClaims.add(started.data.claim, claim);
  await append(logs.tests, ENDED, [anEvent('TestCreated'), anEvent('Expired', 86_400)]);
  logs.tests.lose(logs.tests.all().find(({ id }) => id === ENDED)?.seq ?? 0);
  return logs;
}

const progress = () => {};

async function* linesOf(path: string) {
  yield* (await readFile(path, 'utf8')).split('\n');
}

test('a restored backup contains the same tests, reports and payments', async () => {
  const from = await filled();
  const path = join(folder, 'whole.jsonl');
  expect(await backUp(from, { path, replace: false, progress })).toEqual({
    events: 8,
    claims: 1,
    damaged: 0,
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const to = newLogs();
  // The sequence numbers differ from those in the backup.
  await append(to.reports, 'dddddddddddd', [aReportWritten(), aReportWritten()]);
  const restored = await restore(to, () => linesOf(path), progress);
  expect(restored).toEqual({ events: 8, claims: 1, there: 0, left_out: [] });

  const events = await to.tests.read(READY);
  const [one] = await from.tests.read(READY);
  expect(events[0]?.event).toEqual(one?.event);
  const done = events[2]?.event;
  const seq = done?.type === 'AnalysisDone' ? done.data.report_seq : 0;
  expect(seq).toBeGreaterThan(6);
  expect(await to.reports.readAt(seq)).toMatchObject({ id: READY });
  const paid = (await to.payments.read(READY)).map(({ event }) => event);
  expect(foldPayment(paid)).toMatchObject({ value: 'paid' });
  expect((await to.tests.read(ENDED)).map(({ event }) => event.type)).toEqual(['Expired']);

  expect(await to.allClaims.all()).toEqual(await from.allClaims.all());

  const again = await restore(to, () => linesOf(path), progress);
  expect(again).toEqual({ events: 8, claims: 1, there: 9, left_out: [] });
});

test('an incomplete history is not restored', async () => {
  const from = await filled();
  await append(from.tests, BROKEN, [anEvent('TestCreated'), anEvent('MailArrived', 60)]);
  from.tests.lose(from.tests.all().findLast(({ id }) => id === BROKEN)?.after ?? 0);
  await append(from.tests, 'eeeeeeeeeeee', [anEvent('TestCreated')]);
  from.tests.putRaw('eeeeeeeeeeee', 'no event');
  const path = join(folder, 'broken.jsonl');
  expect(await backUp(from, { path, replace: false, progress })).toMatchObject({ damaged: 2 });
  const to = newLogs();
  const { left_out } = await restore(to, () => linesOf(path), progress);
  expect(left_out).toEqual([`tests.${BROKEN}`, 'tests.eeeeeeeeeeee']);
  expect((await to.tests.readRemains(BROKEN)).events).toEqual([]);
  expect((await to.tests.readRemains('eeeeeeeeeeee')).events).toEqual([]);
  expect(await to.tests.read(READY)).toHaveLength(3);
});

test('everything that verify calls complete is restored: events stored alone, or before an end, and an old report', async () => {
  const from = await filled();
  const tests = { ...from.tests, ...withoutAfter(from.tests) };
  from.tests.putRaw(ENDED, 'no event');
  from.reports.corrupt(from.reports.all()[0]?.seq ?? 0);
  const path = join(folder, 'unlinked.jsonl');
  expect(await backUp({ ...from, tests }, { path, replace: true, progress })).toMatchObject({
    damaged: 0,
  });
  const to = newLogs();
  expect(await restore(to, () => linesOf(path), progress)).toMatchObject({ left_out: [] });
  expect(await to.tests.read(READY)).toHaveLength(3);
  expect(await to.tests.read(ENDED)).toHaveLength(1);
});

/** Returns a log whose events were stored by a writer that expects nothing. */
const withoutAfter = ({ follow }: Pick<EventLog<TestEvent>, 'follow'>) => ({
  follow: (options: FollowOptions<TestEvent>) =>
    follow({ ...options, onEvent: ({ after: _, ...recorded }) => options.onEvent(recorded) }),
});

test('a backup in which anything is missing or different is refused, and nothing is restored', async () => {
  const path = join(folder, 'copied.jsonl');
  await backUp(await filled(), { path, replace: true, progress });
  const whole = await readFile(path, 'utf8');
  const lines = whole.split('\n');
  const damaged = [
    lines.slice(0, 4).join('\n'),
    lines.slice(0, -2).join('\n'),
    [...lines.slice(0, 2), ...lines.slice(3)].join('\n'),
    whole.replace('"score":97', '"score":96'),
    '',
  ];
  for (const text of damaged) {
    await writeFile(path, text);
    const to = newLogs();
    await expect(restore(to, () => linesOf(path), progress)).rejects.toThrow(
      'has changed since it was written',
    );
    expect([...to.tests.all(), ...to.reports.all()]).toEqual([]);
  }
});

test('a file that is not a backup is refused with the number of its line', async () => {
  const path = join(folder, 'other.jsonl');
  await writeFile(path, '{"a":1}\n');
  await expect(restore(newLogs(), () => linesOf(path), progress)).rejects.toThrow('Line 1');
});
