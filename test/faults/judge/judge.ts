/** Finds everything in a round's history that must not be. */

import { isEnd } from '../../../src/domain/events.ts';
import type { History, Violation } from './history.ts';
import { disturbanceAt } from './rules/limits.ts';
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
import { creations, deletions, reads, replies } from './rules/promises.ts';
import { answered, signedFirst, silent } from './rules/whole.ts';
import { type Rule, type TestHistory, testHistoriesOf } from './test-history.ts';

const rules: Readonly<Record<string, Rule>> = {
  creations,
  deletions,
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

/** Returns everything in a history that must not be. Has no side effects. */
export function judge(history: History): readonly Violation[] {
  const all = testHistoriesOf(history);
  const halfKnown = new Set(all.filter((one) => isHalfKnown(one, history)));
  return [
    ...observedWhole(history, halfKnown),
    ...moneyKept(history),
    ...answered(history),
    ...signedFirst(history),
    ...silent(history),
    ...all
      .filter((one) => !halfKnown.has(one))
      .flatMap((testHistory) =>
        Object.entries(rules).flatMap(([rule, check]) =>
          check(testHistory, history).map((text) => ({ rule, testId: testHistory.testId, text })),
        ),
      ),
  ];
}

/**
 * Returns for each place where sequences are missing in what was observed, the last one before it and the
 * first one after it.
 */
const holesOf = ({ events }: History) =>
  events.flatMap(({ seq, id }, index) => {
    const before = events[index - 1]?.seq ?? 0;
    return seq === before + 1 ? [] : [{ before, after: seq, id }];
  });

type Hole = ReturnType<typeof holesOf>[number];

/** Returns whether it is between the first and the last event of a test. */
const isWithin = ({ before, after }: Hole, { steps }: TestHistory) =>
  before < (steps.at(-1)?.recorded.seq ?? 0) && after > (steps[0]?.recorded.seq ?? 0) - 1;

/**
 * Returns whether a test ended, and was erased, while the observer and the replicas were cut off. Nobody can
 * judge what the observer missed.
 */
function isHalfKnown(testHistory: TestHistory, history: History): boolean {
  const end = testHistory.steps.find(({ recorded }) => isEnd(recorded.event.type));
  if (!end || !disturbanceAt(end.recorded.time, history.faults)) return false;
  return holesOf(history).some((hole) => isWithin(hole, testHistory));
}

/**
 * Expects the sequences of a stream to have no gaps. A gap in what was observed leaves a test half known.
 */
function observedWhole(
  history: History,
  halfKnown: ReadonlySet<TestHistory>,
): readonly Violation[] {
  return holesOf(history)
    .filter((hole) => ![...halfKnown].some((one) => isWithin(hole, one)))
    .map(({ before, after, id }) => ({
      rule: 'observedWhole',
      testId: id,
      text: `${after - before - 1} events before ${after} were erased or lost before they were observed`,
    }));
}
