/** Tests that the judge finds every kind of violation in a history. */

import { describe, expect, test } from 'vitest';
import { anEvent, aPaymentEvent } from '../../support/log/events.ts';
import {
  asked,
  at,
  calm,
  fault,
  followedBy,
  lived,
  polled,
  record,
  rulesOf,
  withEvents,
  withOperations,
} from './a-history.ts';
import type { History, Operation } from './history.ts';
import { judge } from './judge.ts';

/** Returns a history in which a client got one response. */
const answeredBy = (call: string, text: string, isPatient = true): History => ({
  ...calm,
  answers: [{ call, replica: 'one', at: at(30), text, isPatient }],
});

test('a history without faults is found to have none', () => {
  expect(judge(calm)).toEqual([]);
});

test('a test that ends while the log is read again may be erased in the meantime', () => {
  const end = record(anEvent('Expired', 86_460), 4, 86_460);
  const history = withEvents([...lived, end]);
  const kept = (from: number, to: number) => ({
    ...history,
    kept: { from: at(from), to: at(to), ids: new Map() },
  });
  expect(judge(kept(86_459, 86_461))).toEqual([]);
  expect(rulesOf(kept(86_457, 86_459))).toEqual(['nothingVanishes']);
});

test('a test that was erased while the observer was cut off is half known, and not judged', () => {
  const end = record(anEvent('TestDeleted', 70), 5, 70);
  const seen = { ...withEvents([lived[0], end]), reports: [], payments: [], transfers: [] };
  expect(judge({ ...seen, operations: [], faults: [fault('outage', 60, 70)] })).toEqual([]);
  expect(rulesOf({ ...seen, operations: [] })).toContain('observedWhole');
});

test.each<[string, History, string]>([
  [
    'a test that was acknowledged and is not in the log',
    { ...withEvents([]), reports: [], payments: [] },
    'creations',
  ],
  [
    'a token that is not the one that was given',
    withOperations({ ...asked(-1, 1), kind: 'created', tokenSha256: 'c'.repeat(64) }),
    'creations',
  ],
  [
    'an event that is gone from the log',
    { ...calm, kept: { ...calm.kept, ids: new Map([...calm.kept.ids].slice(0, 2)) } },
    'nothingVanishes',
  ],
  [
    'an event whose place another one has taken',
    { ...calm, kept: { ...calm.kept, ids: new Map([...calm.kept.ids, [2, 'another']]) } },
    'nothingVanishes',
  ],
  ['a hole in what was observed', withEvents([lived[0], lived[2]]), 'observedWhole'],
  ['a second report', followedBy(anEvent('AnalysisDone', 62, { report_seq: 9 }), 62), 'onceOnly'],
  [
    'a deadline after the end of the wait',
    followedBy(anEvent('WindowClosed', 3600), 3600),
    'onceOnly',
  ],
  [
    'a deadline that fired twice',
    withEvents([
      lived[0],
      record(anEvent('WindowClosed', 3600), 2, 3600),
      record(anEvent('WindowClosed', 3600), 3, 3600.1),
    ]),
    'onceOnly',
  ],
  [
    'a deadline that fired early',
    followedBy(anEvent('Expired', 86_460, { fired_at: new Date(at(70)).toISOString() }), 70),
    'deadlines',
  ],
  ['a deadline of another instant', followedBy(anEvent('Expired', 86_400), 86_500), 'deadlines'],
  [
    'a deadline that was not due',
    withEvents([lived[0], record(anEvent('Expired', 86_400), 2, 86_400)]),
    'deadlines',
  ],
  ['a deadline that never fired', { ...calm, endedAt: at(90_000) }, 'nothingOverdue'],
  ['a report that is not there', { ...calm, reports: [] }, 'reportsExist'],
  [
    "another test's report",
    { ...calm, reports: calm.reports.map((one) => ({ ...one, id: 'zzzzzzzz2345' })) },
    'reportsExist',
  ],
  [
    'a report with other words',
    { ...calm, reports: calm.reports.map((one) => ({ ...one, sha256: 'c'.repeat(64) })) },
    'reportsExist',
  ],
  ['250 without an end', withEvents(lived.slice(0, 2)), 'replies'],
  [
    '250 before the end',
    withOperations({ ...asked(59, 60.9), kind: 'mailed', reply: 'analysed' }),
    'replies',
  ],
  [
    'a failure that is not in the log',
    withOperations({ ...asked(59, 70), kind: 'mailed', reply: 'failed' }),
    'replies',
  ],
  [
    'a refusal that is not in the log',
    withOperations({ ...asked(59, 70), kind: 'mailed', reply: 'refused' }),
    'replies',
  ],
  ['a report for nothing', { ...calm, payments: [] }, 'reads'],
  [
    'a report paid for twice',
    { ...calm, payments: [...calm.payments, record(aPaymentEvent('PaymentSettled', 66), 3, 66)] },
    'payments',
  ],
  [
    'two reports for one test',
    withOperations({ ...asked(70, 71), kind: 'read', report: 'other words' }),
    'reads',
  ],
  [
    'a deletion that is not in the log',
    withOperations({ ...asked(70, 71), kind: 'deleted' }),
    'deletions',
  ],
  ['a request without an end', { ...calm, stuck: ['create'] }, 'answered'],
  ['an answer that is not documented', answeredBy('create', '500 internal_error'), 'answered'],
  ['an answer that is another call’s', answeredBy('status', '402 payment_required'), 'answered'],
  ['503 that does not say when', answeredBy('read', '503 log_unavailable', false), 'answered'],
  ['replicas that differ', { ...calm, unlike: ['ready and waiting'] }, 'alike'],
  [
    'a transaction that was sent before it was stored',
    { ...calm, broadcasts: [{ transaction: `0x${'9'.repeat(64)}`, time: at(64) }] },
    'signedFirst',
  ],
  ['a token in a log', { ...calm, secrets: ['tok3n'], lines: ['{"token":"tok3n"}'] }, 'silent'],
  ['a second bill', withOperations({ ...asked(70, 71), kind: 'challenged' }), 'reads'],
])('%s is found', (_name, history, rule) => {
  expect(rulesOf(history)).toContain(rule);
});

test.each([
  ['create', '503 too_many_connections'],
  ['status', '503 test_damaged'],
  ['read', '409 report_not_ready'],
  ['read', '409 sale_closed'],
  ['delete', '503 settlement_pending'],
])('the response to the call %s may be %s', (call, text) => {
  expect(judge(answeredBy(call, text))).toEqual([]);
});

describe('the statuses that a poll shows', () => {
  test.each<[string, Operation]>([
    ['a status before its event', polled(50, 'ready')],
    ['a status long after the next event', polled(65, 'processing')],
    ['a status that never was', polled(65, 'analysis_failed')],
    ['no test where there is one', polled(30, 'absent')],
    ['no test at another replica, however soon', { ...polled(0.1, 'absent'), replica: 'two' }],
    ['a test after its end', polled(86_461, 'ready')],
  ])('%s is found', (_name, operation) => {
    expect(rulesOf(withOperations(operation))).toEqual(['statuses']);
  });

  test.each<[string, Operation]>([
    ['either status, while the event is on its way', { ...polled(60.9, 'processing'), to: at(62) }],
    [
      'the former status at a replica that hears of it later',
      { ...polled(61.2, 'processing'), replica: 'two' },
    ],
    ['no test after its end', polled(86_461, 'absent')],
    ['one of several that an answer means', polled(30, 'processing', 'waiting')],
  ])('%s is justified', (_name, operation) => {
    expect(judge(withOperations(operation))).toEqual([]);
  });

  test('one replica does not go back to what it showed before', () => {
    const back = withOperations(polled(61.1, 'ready'), polled(61.3, 'processing'));
    expect(judge(back)).toMatchObject([
      { rule: 'statuses', text: expect.stringMatching(/^went backwards/) },
    ]);
  });

  test('going back to waiting is correct if the log says so', () => {
    const events = [
      ...lived.slice(0, 2),
      record(anEvent('AnalysisTimeout', 120), 3, 120),
    ] as History['events'];
    const operations = [polled(30, 'waiting'), polled(90, 'processing'), polled(125, 'waiting')];
    const history = { ...withEvents(events), operations, payments: [], transfers: [] };
    expect(judge(history)).toEqual([]);
  });

  test('a replica that was cut off may be behind, but not for ever', () => {
    const behind = withOperations({ ...polled(64, 'processing'), replica: 'two' });
    expect(judge({ ...behind, faults: [fault('outage', 60.5, 63)] })).toEqual([]);
    expect(rulesOf({ ...behind, faults: [fault('outage', 40, 45)] })).toEqual(['statuses']);
    expect(rulesOf({ ...behind, faults: [fault('clock', 60.5, 63)] })).toEqual(['statuses']);
  });

  test('a replica that is cut off again may be behind since the first time, for as long', () => {
    const behind = (seconds: number) => ({
      ...withOperations({ ...polled(seconds, 'processing'), replica: 'two' }),
      faults: [fault('outage', 60.5, 61.5), fault('outage', 66, 66.5), fault('outage', 72, 72.5)],
    });
    expect(judge(behind(73))).toEqual([]);
    expect(rulesOf(behind(76))).toEqual(['statuses']);
  });
});
