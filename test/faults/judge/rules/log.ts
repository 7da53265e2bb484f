/** Rules about the events in the log: order, deadlines and completeness. */

import { isEnd, type TestEvent } from '../../../../src/domain/events.ts';
import { nextDeadline } from '../../../../src/projection/deadlines.ts';
import { operationsOf, type Rule, type Step, stepsOf, type TestHistory } from '../test-history.ts';
import { APPEND_MS, CLOCK_MS, disturbances, PATIENCE_MS, TICK_MS } from './limits.ts';

const ONCE: readonly TestEvent['type'][] = [
  'TestCreated',
  'WindowClosed',
  'RefusalTimeout',
  'AnalysisDone',
  'AnalysisFailed',
  'Expired',
  'TestDeleted',
];

/** A race has one winner: nothing is recorded twice, and nothing that was not allowed in that state. */
export const onceOnly: Rule = (testHistory) => [
  ...ONCE.filter((type) => stepsOf(testHistory, type).length > 1).map((type) => `two ${type}`),
  ...testHistory.steps
    .filter(({ changed }) => !changed)
    .map(({ recorded: { event, seq } }) => `${event.type} at ${seq} does not fit the state`),
];

/** A timer's event is that of the deadline that was due, not before it, and in time. */
export const deadlines: Rule = ({ steps }, { durations, faults }) =>
  steps.flatMap(({ recorded: { event, seq, time }, before }, index) => {
    if (!('fired_at' in event.data) || !before) return [];
    const due = nextDeadline(before, durations);
    const at = new Date(Math.max(due.at, Date.parse(before.context.at))).toISOString();
    const where = `${event.type} at ${seq}`;
    if (due.type !== event.type) return [`${where}, but ${due.type} was due`];
    if (event.at !== at) return [`${where} says ${event.at}; due was ${at}`];
    if (event.data.fired_at < event.at) return [`${where} fired at ${event.data.fired_at}`];
    if (time + CLOCK_MS < due.at) return [`${where} was recorded ${due.at - time} ms early`];
    // A timer event cannot be recorded before it is known that no other event came first.
    let latest = Math.max(due.at, steps[index - 1]?.recorded.time ?? 0) + PATIENCE_MS;
    for (const { from, to } of disturbances(faults))
      if (from <= latest) latest = Math.max(latest, to + PATIENCE_MS);
    return time > latest ? [`${where} was recorded ${time - due.at} ms late`] : [];
  });

/**
 * Every event says when it happened, by the clock of the log, whatever time its writer's machine shows. None
 * is earlier than the one before it.
 */
export const instants: Rule = (testHistory) => {
  const created = Math.max(...operationsOf(testHistory, 'created').map(({ from }) => from));
  return testHistory.steps.flatMap(({ recorded: { event, seq, time } }, index) => {
    const at = Date.parse(event.at);
    const before = Date.parse(testHistory.steps[index - 1]?.recorded.event.at ?? event.at);
    const where = `${event.type} at ${seq} says ${event.at}`;
    if (at < before) return [`${where}, before the event that precedes it`];
    if (at > Math.max(before, time + CLOCK_MS)) return [`${where}, ${at - time} ms ahead`];
    if ('fired_at' in event.data) return [];
    const oldest = Math.max(
      time - APPEND_MS,
      event.type === 'TestCreated' ? created - TICK_MS - CLOCK_MS : 0,
    );
    return at < Math.min(oldest, time) ? [`${where}, ${time - at} ms old`] : [];
  });
};

/** A deadline that has passed is recorded. */
export const nothingOverdue: Rule = ({ steps }, { durations, endedAt }) => {
  const row = steps.at(-1)?.row;
  const due = row && nextDeadline(row, durations);
  return due && due.at + PATIENCE_MS < endedAt ? [`${due.type} was due and never came`] : [];
};

/** Anything that was once in the log stays, until its test has ended and is erased. */
export const nothingVanishes: Rule = (testHistory, { kept }) => {
  const by =
    (time: number) =>
    ({ recorded }: Step) =>
      recorded.time < time;
  const ends = testHistory.steps.filter(({ recorded }) => isEnd(recorded.event.type));
  if (ends.some(by(kept.to))) return [];
  return testHistory.steps
    .filter(by(kept.from))
    .filter(({ recorded: { seq, event } }) => kept.ids.get(seq) !== event.id)
    .map(({ recorded: { seq, event } }) => `${event.type} at ${seq} is gone or another`);
};

/** An attempt ends with the report that was written for this test. */
export const reportsExist: Rule = (testHistory: TestHistory, { faults }) =>
  stepsOf(testHistory, 'AnalysisDone').flatMap(({ recorded: { event } }) => {
    if (event.type !== 'AnalysisDone') return [];
    const { report_seq, report_sha256 } = event.data;
    const report = testHistory.reports.find(({ seq }) => seq === report_seq);
    // Events that were erased while the observer was cut off were never seen either.
    const isErased = testHistory.steps.some(({ recorded }) => isEnd(recorded.event.type));
    if (!report && isErased && faults.some(({ kind }) => kind === 'outage')) return [];
    if (!report) return [`AnalysisDone names no report of this test: ${report_seq}`];
    return report.sha256 === report_sha256 ? [] : [`the report at ${report_seq} is another`];
  });
