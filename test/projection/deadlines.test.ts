/** Tests the deadlines of a test in each state. */

import { expect, test } from 'vitest';
import type { TestEvent } from '../../src/domain/events.ts';
import {
  expiry,
  nextDeadline,
  payBefore,
  sendAgainBefore,
  toTimerEvent,
} from '../../src/projection/deadlines.ts';
import { fold } from '../../src/projection/fold.ts';
import { type Row, toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';
import { instant, T0 } from '../support/process/instants.ts';

const durations = { refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 60 };

function rowOf(...events: readonly TestEvent[]): Row {
  const row = toRow(fold(events), 1);
  if (!row) throw new Error('The fixture has no row.');
  return row;
}

/** Returns a test created at `T0`, with this many seconds to send an email and to live. */
const created = (toSend = 3600, toLive = 86_400) =>
  anEvent('TestCreated', 0, { send_before: instant(toSend), expires_at: instant(toLive) });
const arrived = anEvent('MailArrived', 100);
const refused = anEvent('MailRefused', 100);
const lost = anEvent('AnalysisTimeout', 160);

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : (milliseconds - T0) / 1000;

test.each([
  ['no email has arrived', [created()], 86_400],
  ['an email was refused', [created(), refused], 86_400],
  ['an email has arrived', [created(), arrived], 86_500],
  ['its analysis was lost', [created(), arrived, lost], 86_400],
  ['it failed', [created(), arrived, anEvent('AnalysisFailed', 101)], 86_500],
])('if %s, the test is deleted a retention after it', (_, events, expected) => {
  expect(seconds(expiry(rowOf(...events)))).toBe(expected);
});

test.each([
  [86_400, 86_500 - 30],
  [301, 401 - 30],
  [299, 399 - 29.9],
  [105, 205 - 10.5],
])('a report kept for %d s can be bought until %d s', (toLive, expected) => {
  expect(seconds(payBefore(rowOf(created(300, toLive), arrived)))).toBe(expected);
});

test.each([
  ['nothing was refused', [created()], undefined],
  ['a refusal has its time', [created(), refused], 1000],
  ['the window closes first', [created(999), refused], 999],
])('if %s, a sender may send again until %s', (_, events, expected) => {
  expect(seconds(sendAgainBefore(rowOf(...events), durations))).toBe(expected);
});

const done = anEvent('AnalysisDone', 101);
const failed = anEvent('AnalysisFailed', 101);
const timedOut = anEvent('RefusalTimeout', 1000);

test.each([
  ['waiting', [created()], 'WindowClosed', 3600],
  ['waiting, kept no longer than its window', [created(3600, 3600)], 'Expired', 3600],
  ['waiting, kept a little longer', [created(3600, 3601)], 'WindowClosed', 3600],
  ['refused', [created(), refused], 'RefusalTimeout', 1000],
  ['refused, its window closing first', [created(500), refused], 'RefusalTimeout', 1000],
  ['refused, kept no longer', [created(500, 1000), refused], 'Expired', 1000],
  ['processing', [created(), arrived], 'AnalysisTimeout', 160],
  ['processing, kept no longer', [created(50, 60), anEvent('MailArrived', 40)], 'Expired', 100],
  ['waiting again', [created(), arrived, lost], 'WindowClosed', 3600],
  ['ready', [created(), arrived, done], 'Expired', 86_500],
  ['failed', [created(), arrived, failed], 'Expired', 86_500],
  ['rejected', [created(), refused, timedOut], 'Expired', 86_400],
] as const)('a test that is %s waits for its next deadline', (_, events, type, at) => {
  const deadline = nextDeadline(rowOf(...events), durations);
  expect({ ...deadline, at: seconds(deadline.at) }).toEqual({ type, at });
});

test.each([
  ['at its deadline', 3600, 3600],
  ['not before what was recorded last', 50, 100],
])('a timer event is dated %s, whenever it is noticed', (_, deadline, expected) => {
  const row = rowOf(created(), refused);
  const firing = { id: 'one', by: 'replica-2', firedAt: T0 + 4_000_000 };
  expect(toTimerEvent(row, { type: 'WindowClosed', at: T0 + deadline * 1000 }, firing)).toEqual({
    ...{ v: 1, id: 'one', by: 'replica-2', type: 'WindowClosed' },
    at: instant(expected),
    data: { fired_at: instant(4000) },
  });
});

test('the time-out of an analysis names the attempt', () => {
  const row = rowOf(created(), arrived, lost, anEvent('MailArrived', 200, { attempt: 2 }));
  const firing = { id: 'one', by: 'replica-2', firedAt: T0 + 261_000 };
  const event = toTimerEvent(row, nextDeadline(row, durations), firing);
  expect(event).toMatchObject({ type: 'AnalysisTimeout', at: instant(260) });
  expect(event.data).toEqual({ attempt: 2, fired_at: instant(261) });
});
