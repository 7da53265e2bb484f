import type { TestEvent } from '../../../../domain/events.ts';
import { nextDeadline } from '../../../../projection/deadlines.ts';
import { type Life, type Rule, type Step, stepsOf } from '../life.ts';

/** Deadlines are noticed within this, in milliseconds, once nothing is broken. */
const PATIENCE_MS = 10_000;

const ONCE: readonly TestEvent['type'][] = [
  'TestCreated',
  'WindowClosed',
  'RefusalTimeout',
  'AnalysisDone',
  'AnalysisFailed',
  'Expired',
];

/** A race has one winner: nothing is recorded twice, and nothing that did not fit. */
export const onceOnly: Rule = (life) => [
  ...ONCE.filter((type) => stepsOf(life, type).length > 1).map((type) => `two ${type}`),
  ...life.steps
    .filter(({ changed }) => !changed)
    .map(({ recorded: { event, seq } }) => `${event.type} at ${seq} does not fit the state`),
];

/** A timer's event is that of the deadline that was due, and not before it. */
export const deadlines: Rule = ({ steps }, { durations }) =>
  steps.flatMap(({ recorded: { event, seq }, before }) => {
    if (!('fired_at' in event.data) || !before) return [];
    const due = nextDeadline(before, durations);
    const at = new Date(Math.max(due.at, Date.parse(before.context.at))).toISOString();
    const where = `${event.type} at ${seq}`;
    if (due.type !== event.type) return [`${where}, but ${due.type} was due`];
    if (event.at !== at) return [`${where} says ${event.at}; due was ${at}`];
    return event.data.fired_at < event.at ? [`${where} fired at ${event.data.fired_at}`] : [];
  });

/** A deadline that has passed is recorded. */
export const nothingOverdue: Rule = ({ steps }, { durations, endedAt }) => {
  const row = steps.at(-1)?.row;
  const due = row && nextDeadline(row, durations);
  return due && due.at + PATIENCE_MS < endedAt ? [`${due.type} was due and never came`] : [];
};

/** What was once in the log stays, until its test has ended and is erased. */
export const nothingVanishes: Rule = (life, { kept }) => {
  const stored = ({ recorded }: Step) => recorded.time < kept.at;
  if (stepsOf(life, 'Expired').some(stored)) return [];
  return life.steps
    .filter(stored)
    .filter(({ recorded: { seq, event } }) => kept.ids.get(seq) !== event.id)
    .map(({ recorded: { seq, event } }) => `${event.type} at ${seq} is gone or another`);
};

/** An attempt ends with the report that was written for this test. */
export const reportsExist: Rule = (life: Life) =>
  stepsOf(life, 'AnalysisDone').flatMap(({ recorded: { event } }) => {
    if (event.type !== 'AnalysisDone') return [];
    const { report_seq, report_sha256 } = event.data;
    const report = life.reports.find(({ seq }) => seq === report_seq);
    if (!report) return [`AnalysisDone names no report of this test: ${report_seq}`];
    return report.sha256 === report_sha256 ? [] : [`the report at ${report_seq} is another`];
  });
