import { createRowStore } from '../../actors/follower/row-store.ts';
import type { TestEvent } from '../../domain/events.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { Recorded } from '../../ports/log.ts';
import { evolvePayment, foldPayment, type PaymentState } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import type { ReplayCall } from './call.ts';
import { scan } from './scan.ts';
import type { Source } from './source.ts';
import { ended, evolveErased, initial, nameOfState } from './states.ts';

const without = { unknown: initial, expired: ended };

/** Every test of a log, live or ended, folded event by event and kept as a replica keeps them. */
export function foldTests() {
  const rows = createRowStore();
  /** Those that have no row. */
  const others = new Map<string, keyof typeof without>();
  let events = 0;
  let ignored = 0;

  function stateOf(id: string) {
    const row = rows.get(id);
    return row ? toState(row) : without[others.get(id) ?? 'unknown'];
  }

  return {
    add({ id, seq, event }: Recorded<TestEvent>): void {
      const before = stateOf(id);
      const state = evolveErased(before, event);
      const row = toRow(state, seq);
      rows.set(id, row);
      if (row) others.delete(id);
      else others.set(id, state.value === 'expired' ? 'expired' : 'unknown');
      events++;
      if (state === before) ignored++;
    },
    row: (id: string): Row | undefined => rows.get(id),
    /** Each test once. */
    *ids(): Generator<string> {
      yield* rows.ids();
      yield* others.keys();
    },
    totals: () => ({ events, ignored }),
    *states(): Generator<string> {
      for (const id of rows.ids()) yield nameOfState(stateOf(id));
      yield* others.values();
    },
  };
}

export type FoldedTests = ReturnType<typeof foldTests>;

/** Every payment of a log, folded event by event. */
function foldPayments() {
  /** The last state is one for all: most payments are in it, for ever. */
  const states = new Map<string, PaymentState | 'paid'>();
  let events = 0;
  let ignored = 0;
  return {
    add({ id, event }: Recorded<PaymentEvent>): void {
      const before = states.get(id) ?? foldPayment([]);
      const state = before === 'paid' ? before : evolvePayment(before, event);
      states.set(id, state !== 'paid' && state.value === 'paid' ? 'paid' : state);
      events++;
      if (state === before) ignored++;
    },
    totals: () => ({ events, ignored }),
    *states(): Generator<string> {
      for (const state of states.values()) yield state === 'paid' ? state : nameOfState(state);
    },
  };
}

/** `replay state`: how many tests and payments are in each state. */
export async function countStates(
  source: Pick<Source, 'tests' | 'payments'>,
  options: Pick<ReplayCall, 'until' | 'progress'>,
): Promise<object> {
  const [tests, payments] = [foldTests(), foldPayments()];
  let unreadable = 0;
  const onPoison = () => void unreadable++;
  await scan(source.tests, { ...options, onPoison, name: 'tests', onEvent: tests.add });
  await scan(source.payments, { ...options, onPoison, name: 'payments', onEvent: payments.add });
  const [ofTests, ofPayments] = [tests.totals(), payments.totals()];
  return {
    events: ofTests.events + ofPayments.events,
    ignored: ofTests.ignored + ofPayments.ignored,
    tests: count(tests.states()),
    payments: count(payments.states()),
    unreadable,
  };
}

function count(names: Iterable<string>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
