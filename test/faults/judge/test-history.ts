/** Splits the history of a round into the histories of single tests. */

import type { TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Recorded } from '../../../src/ports/log.ts';
import { evolve, fold, type TestState } from '../../../src/projection/fold.ts';
import { type Row, toRow } from '../../../src/projection/row.ts';
import type { History, KeptReport, Operation, OperationOf } from './history.ts';

/** The state of a test after one more event. */
export interface Step {
  readonly recorded: Recorded<TestEvent>;
  readonly before: Row | undefined;
  readonly row: Row | undefined;
  /** An event that is not allowed in this state changes nothing, and should never have been recorded. */
  readonly changed: boolean;
}

/** A test of a history, with everything that is known about it. */
export interface TestHistory {
  readonly testId: string;
  readonly steps: readonly Step[];
  readonly operations: readonly Operation[];
  readonly payments: readonly Recorded<PaymentEvent>[];
  readonly reports: readonly KeptReport[];
}

/** Returns what is wrong with one test, in words. */
export type Rule = (testHistory: TestHistory, history: History) => readonly string[];

/** Returns each test separately, including those that only a client knows. */
export function testHistoriesOf(history: History): readonly TestHistory[] {
  const { events, operations, payments, reports } = history;
  const byId = {
    events: Map.groupBy(events, ({ id }) => id),
    operations: Map.groupBy(operations, ({ testId }) => testId),
    payments: Map.groupBy(payments, ({ id }) => id),
    reports: Map.groupBy(reports, ({ id }) => id),
  };
  return [...new Set([...byId.events.keys(), ...byId.operations.keys()])].map((testId) => ({
    testId,
    steps: toSteps(byId.events.get(testId) ?? []),
    operations: byId.operations.get(testId) ?? [],
    payments: byId.payments.get(testId) ?? [],
    reports: byId.reports.get(testId) ?? [],
  }));
}

function toSteps(events: readonly Recorded<TestEvent>[]): readonly Step[] {
  let state: TestState = fold([]);
  return events.map((recorded) => {
    const before = toRow(state, recorded.seq);
    const next = evolve(state, recorded.event);
    const changed = next !== state;
    state = next;
    return { recorded, before, row: toRow(next, recorded.seq), changed };
  });
}

/** Returns the steps of one type. */
export const stepsOf = ({ steps }: TestHistory, type: TestEvent['type']): readonly Step[] =>
  steps.filter(({ recorded }) => recorded.event.type === type);

/** Returns whether the report had been paid for at an instant. */
export const settledBy = ({ payments }: TestHistory, time: number): boolean =>
  payments.some((one) => one.event.type === 'PaymentSettled' && one.time <= time);

/** Returns the operations of one kind. */
export const operationsOf = <Kind extends Operation['kind']>(
  { operations }: TestHistory,
  kind: Kind,
) => operations.filter((one): one is OperationOf<Kind> => one.kind === kind);
