/**
 * Prints each event of a test and of its payment with the state after it, and turns stored events into lines
 * without secrets.
 */

import { deliveryTest } from '../../../machines/delivery-test.ts';
import type { Envelope } from '../../domain/envelope.ts';
import { isEnd, type TestEvent } from '../../domain/events.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import {
  evolve,
  evolvePayment,
  fold,
  foldPayment,
  type PaymentState,
  type TestState,
} from '../../projection/fold.ts';
import type { ReplayCall } from './call.ts';
import { isUntil } from './scan.ts';
import type { Source } from './source.ts';

/**
 * Runs `replay states`, which prints each event of a test and of its payment, with the state after it, or
 * `ignored` if it changed nothing. The exit code is 1 if there is nothing.
 */
export async function states(
  { tests, payments }: Pick<Source, 'tests' | 'payments'>,
  call: Pick<ReplayCall, 'argument' | 'until' | 'unsafe' | 'print' | 'hint'>,
): Promise<number> {
  const count =
    (await walk(tests, 'tests', call, initial, evolveErased)) +
    (await walk(payments, 'payments', call, foldPayment([]), evolvePayment));
  if (count > 0) return 0;
  const when = call.until ? ' until then' : ': never stored, or erased';
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

/** Returns a name such as `waiting.open` for a state within another. */
function nameOfState({ value }: Pick<State, 'value'>): string {
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}

/** State of a test about which the log contains nothing yet. */
const initial = fold([]);

/** State of a test that has ended. Nothing else about it is needed. */
const ended: TestState = deliveryTest.resolveState({
  value: 'expired',
  context: initial.context,
});

/** Does the same as `evolve`, for a log that may contain only the end of an erased test. */
const evolveErased = (state: TestState, event: TestEvent): TestState =>
  state.value === 'unknown' && isEnd(event.type) ? ended : evolve(state, event);

/** Replacements for secret values: the token's hash, and anything that identifies a payer. */
const substitutes: Readonly<Record<string, string>> = {
  token_sha256: '0'.repeat(64),
  claim: '',
  signature: '0x',
  raw: '0x',
  from: `0x${'0'.repeat(40)}`,
  payer: `0x${'0'.repeat(40)}`,
  nonce: `0x${'0'.repeat(64)}`,
};

/** Returns a copy without secrets, at any depth. */
function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' ? (substitutes[key] ?? one) : redact(one),
    ]),
  );
}

/** Returns a function that turns a stored event into a line to print, with or without its secrets. */
export const printerOf =
  (name: string, unsafe: boolean) =>
  ({ id, seq, time, event }: Pick<Recorded<object>, 'id' | 'seq' | 'time' | 'event'>) => ({
    ...{ subject: `${name}.${id}`, seq, stored_at: new Date(time).toISOString() },
    ...(unsafe ? event : (redact(event) as object)),
  });
