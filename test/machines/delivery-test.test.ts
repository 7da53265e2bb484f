/** Tests every transition of the delivery test's state machine. */

import { expect, test } from 'vitest';
import { isTestEvent, type OriginalTestEvent } from '../../src/domain/events.ts';
import { evolve, fold, type TestState } from '../../src/projection/fold.ts';
import { toRow, toState } from '../../src/projection/row.ts';
import { describeMachine } from '../contracts/machine.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { testModel } from '../support/log/model.ts';
import { nameOf } from '../support/log/walks.ts';
import { instant } from '../support/process/instants.ts';

/** Every allowed transition. */
const table = `
  unknown -TestCreated-> waiting.open
  waiting.open -MailArrived-> processing
  waiting.open -MailRefused-> waiting.refused
  waiting.open -WindowClosed-> rejected_or_not_received
  waiting.open -Expired-> expired
  waiting.open -TestDeleted-> expired
  waiting.refused -MailArrived-> processing
  waiting.refused -MailRefused-> waiting.refused
  waiting.refused -RefusalTimeout-> rejected_or_not_received
  waiting.refused -Expired-> expired
  waiting.refused -TestDeleted-> expired
  processing -AnalysisDone-> ready
  processing -AnalysisFailed-> analysis_failed
  processing -AnalysisTimeout-> waiting.open
  processing -AnalysisTimeout-> analysis_failed
  processing -Expired-> expired
  processing -TestDeleted-> expired
  ready -Expired-> expired
  ready -TestDeleted-> expired
  analysis_failed -Expired-> expired
  analysis_failed -TestDeleted-> expired
  rejected_or_not_received -Expired-> expired
  rejected_or_not_received -TestDeleted-> expired
`;

/** All transitions again, with the conditions on an event and the data that it leaves behind. */
function rule(state: TestState, event: OriginalTestEvent) {
  const name = nameOf(state);
  const { context } = state;
  const { at } = event;
  const waits = name.startsWith('waiting.');
  const sameAttempt = 'attempt' in event.data && event.data.attempt === context.attempts;
  const analysed = name === 'processing' && sameAttempt;
  const to = (fits: boolean, target: string, changes: object = {}) =>
    fits ? ([target, { at, ...changes }] as const) : undefined;

  switch (event.type) {
    case 'TestCreated': {
      const { send_before: sendBefore, expires_at: expiresAt, token_sha256 } = event.data;
      const birth = { createdAt: at, sendBefore, expiresAt, tokenSha256: token_sha256 };
      return to(name === 'unknown', 'waiting.open', birth);
    }
    case 'MailArrived': {
      const { attempt: attempts, digest } = event.data;
      const mail = { attempts, receivedAt: at, digest, refusal: null };
      return to(waits && at < context.sendBefore, 'processing', mail);
    }
    case 'MailRefused': {
      const { firstAt, count } = context.refusal ?? { firstAt: at, count: 0 };
      const refusal = { firstAt, count: count + 1, reasons: event.data.reasons };
      return to(waits && count < 16, 'waiting.refused', { refusal });
    }
    case 'WindowClosed':
      return to(name === 'waiting.open', 'rejected_or_not_received');
    case 'RefusalTimeout':
      return to(name === 'waiting.refused', 'rejected_or_not_received');
    case 'AnalysisDone':
      return to(analysed, 'ready', { reportSeq: event.data.report_seq });
    case 'AnalysisFailed':
      return to(analysed, 'analysis_failed', { failure: event.data.reason });
    case 'AnalysisTimeout':
      return context.attempts < 3
        ? to(analysed, 'waiting.open', { receivedAt: null, digest: null })
        : to(analysed, 'analysis_failed', { failure: 'analysis_timeout' });
    case 'Expired':
    case 'TestDeleted':
      return to(name !== 'unknown' && name !== 'expired', 'expired');
  }
}

describeMachine<OriginalTestEvent, TestState>({
  model: testModel,
  table,
  rule,
  states: 8,
  types: 10,
  evolve,
  fold,
  newLog: () =>
    memoryLog({
      isEvent: (value): value is OriginalTestEvent =>
        isTestEvent(value) && value.type !== 'HistoryRestored',
    }),
});

test('a row contains everything that the next event needs', () => {
  for (const { state, event } of testModel.pairs()) {
    const row = toRow(state, 1);
    if (!row) continue;
    expect(toRow(evolve(toState(row), event), 2)).toEqual(toRow(evolve(state, event), 2));
  }
});

const waiting = [anEvent('TestCreated')];
const processing = [...waiting, anEvent('MailArrived', 60)];

test.each([
  [3599.999, 'processing'],
  [3600, 'waiting.open'],
])('an email %d s after the creation leaves the test %s', (seconds, expected) => {
  expect(nameOf(fold([...waiting, anEvent('MailArrived', seconds)]))).toBe(expected);
});

test('sixteen refusals are recorded, and a seventeenth changes nothing', () => {
  const refusals = Array.from({ length: 16 }, (_, n) => anEvent('MailRefused', n));
  const state = fold([...waiting, ...refusals]);
  expect(state.context.refusal?.count).toBe(16);
  expect(evolve(state, anEvent('MailRefused', 17))).toBe(state);
  expect(nameOf(evolve(state, anEvent('MailArrived', 60)))).toBe('processing');
});

test('of several refusals, the first sets the deadline and the newest gives the reasons', () => {
  const [reason] = anEvent('MailRefused').data.reasons;
  if (!reason) throw new Error('no reason');
  const newest = [{ ...reason, code: 'blocklisted' as const }];
  const { context } = fold([
    ...waiting,
    anEvent('MailRefused', 10),
    anEvent('MailRefused', 20, { reasons: newest }),
  ]);
  expect(context.refusal).toEqual({ firstAt: instant(10), count: 2, reasons: newest });
});

test.each([
  [1, 'waiting.open'],
  [2, 'waiting.open'],
  [3, 'analysis_failed'],
])('the loss of analysis %i leaves the test %s', (attempts, expected) => {
  const events: OriginalTestEvent[] = [...waiting];
  for (let attempt = 1; attempt <= attempts; attempt++)
    events.push(
      anEvent('MailArrived', 60 * attempt, { attempt }),
      anEvent('AnalysisTimeout', 60 * attempt + 60, { attempt }),
    );
  const { context, ...state } = fold(events);
  expect(nameOf(state)).toBe(expected);
  const sendsAgain = expected === 'waiting.open';
  expect(context.receivedAt === null).toBe(sendsAgain);
  expect(context.digest === null).toBe(sendsAgain);
  expect(context.failure).toBe(sendsAgain ? null : 'analysis_timeout');
});

test.each(['AnalysisDone', 'AnalysisFailed', 'AnalysisTimeout'] as const)(
  'an %s of another attempt changes nothing',
  (type) => {
    const state = fold(processing);
    expect(evolve(state, anEvent(type, 70, { attempt: 2 }))).toBe(state);
    expect(evolve(state, anEvent(type, 70, { attempt: 1 }))).not.toBe(state);
  },
);

test('an email that passes after a refusal clears it', () => {
  const { context } = fold([
    ...waiting,
    anEvent('MailRefused', 10),
    anEvent('MailArrived', 60, { digest: 'e'.repeat(64) }),
  ]);
  expect(context).toMatchObject({
    refusal: null,
    attempts: 1,
    receivedAt: instant(60),
    digest: 'e'.repeat(64),
  });
});
