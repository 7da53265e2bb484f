/** Builds histories of responses and events for the tests of the judge. */

import type { TestEvent } from '../../../src/domain/events.ts';
import { anEvent, aPaymentEvent } from '../../support/log/events.ts';
import { T0 } from '../../support/process/instants.ts';
import type { Fault, History, Operation } from './history.ts';
import { judge } from './judge.ts';

export const ID = 'abcdefgh2345';

/** Returns milliseconds since 1970, for this many seconds after the creation. */
export const at = (seconds: number) => T0 + seconds * 1000;

export const record = <E>(event: E, seq: number, seconds: number, id = ID) => ({
  id,
  seq,
  time: at(seconds),
  event,
});

/** A test that is created, receives its email after a minute, and is paid for. */
export const lived = [
  record(anEvent('TestCreated', 0), 1, 0),
  record(anEvent('MailArrived', 60), 2, 60),
  record(anEvent('AnalysisDone', 61, { report_seq: 9 }), 3, 61),
] as const;

export const asked = (from: number, to: number, replica = 'one') => ({
  testId: ID,
  replica,
  from: at(from),
  to: at(to),
});

export const polled = (
  seconds: number,
  ...seen: Extract<Operation, { kind: 'polled' }>['seen']
) => ({
  ...asked(seconds, seconds + 0.01),
  kind: 'polled' as const,
  seen,
});

const idsOf = (events: History['events']) =>
  new Map(events.map(({ seq, event }) => [seq, event.id]));

export const calm: History = {
  durations: { refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 60 },
  operations: [
    { ...asked(-0.01, 0.01), kind: 'created', tokenSha256: 'a'.repeat(64) },
    polled(30, 'waiting'),
    polled(60.5, 'processing'),
    { ...asked(59, 61.01), kind: 'mailed', reply: 'analysed' },
    polled(62, 'ready'),
    { ...asked(63, 63.1), kind: 'challenged' },
    { ...asked(64, 66), kind: 'read', report: 'canonical' },
  ],
  faults: [],
  events: lived,
  payments: [
    record(aPaymentEvent('SettlementStarted', 64), 1, 64),
    record(aPaymentEvent('PaymentSettled', 65), 2, 65),
  ],
  reports: [{ id: ID, seq: 9, sha256: 'b'.repeat(64), report: 'canonical' }],
  broadcasts: [],
  answers: [],
  stuck: [],
  lines: [],
  secrets: [],
  unlike: [],
  transfers: [{ transaction: `0x${'5'.repeat(64)}`, time: at(64) }],
  kept: { from: at(100), to: at(102), ids: idsOf(lived) },
  endedAt: at(100),
};

/** Something was broken, or a clock was wrong, for this time. */
export const fault = (kind: Fault['kind'], from: number, to: number): Fault => ({
  name: kind,
  kind,
  from: at(from),
  to: at(to),
});

export const rulesOf = (history: History) => [...new Set(judge(history).map(({ rule }) => rule))];

/** Returns the history with these events after it, all of them kept. */
export function withEvents(events: readonly (typeof lived)[number][] | History['events']): History {
  return { ...calm, events, kept: { ...calm.kept, ids: idsOf(events) } };
}

export const withOperations = (...more: readonly Operation[]): History => ({
  ...calm,
  operations: [...calm.operations, ...more],
});

export const followedBy = (event: TestEvent, seconds: number): History =>
  withEvents([...lived, record(event, 4, seconds)]);
