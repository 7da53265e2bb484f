import { deliveryTest } from '../../../machines/delivery-test.ts';
import type { TestEvent } from '../../domain/events.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { Recorded } from '../../ports/log.ts';
import { evolve, evolvePayment, fold, foldPayment, type TestState } from '../../projection/fold.ts';
import { nameOfState } from './one-test.ts';

/** The states of a whole log, by id. */
export interface Folded<S> {
  readonly states: ReadonlyMap<string, { readonly seq: number; readonly state: S }>;
  /** Events that did not fit the state before them. */
  readonly ignored: number;
}

function foldAll<E, S>(
  events: readonly Recorded<E>[],
  initial: S,
  step: (state: S, event: E) => S,
): Folded<S> {
  const states = new Map<string, { seq: number; state: S }>();
  let ignored = 0;
  for (const { id, seq, event } of events) {
    const before = states.get(id)?.state ?? initial;
    const state = step(before, event);
    if (state === before) ignored++;
    states.set(id, { seq, state });
  }
  return { states, ignored };
}

/** Every test there is in a log, live or ended. */
export const foldTests = (events: readonly Recorded<TestEvent>[]): Folded<TestState> =>
  foldAll(events, fold([]), (state, event) =>
    // All that is left of a test whose messages were erased.
    state.value === 'unknown' && event.type === 'Expired' ? ended : evolve(state, event),
  );

const ended: TestState = deliveryTest.resolveState({
  value: 'expired',
  context: fold([]).context,
});

/** `replay state`: how many tests and payments are in each state. */
export function population(
  tests: readonly Recorded<TestEvent>[],
  payments: readonly Recorded<PaymentEvent>[],
): object {
  const ofTests = foldTests(tests);
  const ofPayments = foldAll(payments, foldPayment([]), evolvePayment);
  return {
    events: tests.length + payments.length,
    ignored: ofTests.ignored + ofPayments.ignored,
    tests: count([...ofTests.states.values()].map(({ state }) => nameOfState(state))),
    payments: count([...ofPayments.states.values()].map(({ state }) => nameOfState(state))),
  };
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
