import type { Envelope } from '../../domain/envelope.ts';
import type { EventLog } from '../../ports/log.ts';
import {
  evolvePayment,
  foldPayment,
  type PaymentState,
  type TestState,
} from '../../projection/fold.ts';
import type { ReplayCall } from './call.ts';
import { evolveErased, initial } from './evolve-erased.ts';
import { printerOf } from './redact.ts';
import { isUntil } from './scan.ts';
import type { Source } from './source.ts';

/**
 * `replay states`: each event of a test and of its payment, with the state after it; `ignored` when it changed
 * nothing. Exit code 1 when there is nothing.
 */
export async function states(
  { tests, payments }: Pick<Source, 'tests' | 'payments'>,
  call: Pick<ReplayCall, 'argument' | 'until' | 'unsafe' | 'print' | 'hint'>,
): Promise<number> {
  const count =
    (await walk(tests, 'tests', call, initial, evolveErased)) +
    (await walk(payments, 'payments', call, foldPayment([]), evolvePayment));
  if (count > 0) return 0;
  const when = call.until ? ' until then' : ': never there, or erased';
  call.hint(`no event of this test is in the log${when}`);
  return 1;
}

async function walk<E extends Envelope, S extends State>(
  log: Pick<EventLog<E>, 'readRemains'>,
  name: string,
  { argument: id, until, unsafe, print }: Parameters<typeof states>[1],
  initial: S,
  step: (state: S, event: E) => S,
): Promise<number> {
  let state = initial;
  const toLine = printerOf(name, unsafe);
  const recorded = (await log.readRemains(id)).events.filter((one) => isUntil(one, until));
  for (const one of recorded) {
    const before = state;
    state = step(before, one.event);
    const ignored = state === before && { ignored: true };
    print({ ...toLine({ ...one, id }), state: nameOfState(state), ...ignored });
  }
  return recorded.length;
}

type State = TestState | PaymentState;

/** `waiting.open` for a state within another. */
export function nameOfState({ value }: Pick<State, 'value'>): string {
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}
