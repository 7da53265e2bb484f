import type { History, Violation } from './history.ts';
import {
  deadlines,
  instants,
  nothingOverdue,
  nothingVanishes,
  onceOnly,
  reportsExist,
} from './rules/log.ts';
import { moneyKept, payments } from './rules/money.ts';
import { statuses } from './rules/polls.ts';
import { creations, reads, replies } from './rules/promises.ts';
import { type Rule, testHistoriesOf } from './test-history.ts';

const rules: Readonly<Record<string, Rule>> = {
  creations,
  replies,
  reads,
  statuses,
  onceOnly,
  instants,
  deadlines,
  nothingOverdue,
  nothingVanishes,
  reportsExist,
  payments,
};

/** Everything in a history that must not be. Pure. */
export function judge(history: History): readonly Violation[] {
  return [
    ...observedWhole(history),
    ...moneyKept(history),
    ...testHistoriesOf(history).flatMap((testHistory) =>
      Object.entries(rules).flatMap(([rule, check]) =>
        check(testHistory, history).map((text) => ({ rule, testId: testHistory.testId, text })),
      ),
    ),
  ];
}

/** The sequences of a stream have no holes: one in what was observed leaves a test half known. */
function observedWhole({ events }: History): readonly Violation[] {
  return events.flatMap(({ seq, id }, index) => {
    const missing = seq - (events[index - 1]?.seq ?? 0) - 1;
    if (missing === 0) return [];
    const text = `${missing} events before ${seq} were erased or lost before they were observed`;
    return [{ rule: 'observedWhole', testId: id, text }];
  });
}
