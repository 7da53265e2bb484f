import type { EventLog, Recorded } from '../../ports/log.ts';
import {
  evolvePayment,
  foldPayment,
  type PaymentState,
  type TestState,
} from '../../projection/fold.ts';
import { evolveErased, initial } from './evolve-erased.ts';
import { redact } from './redact.ts';
import { isUntil, type Until } from './scan.ts';
import type { Source } from './source.ts';

interface Options {
  /** Shows the token's hash and the payer. */
  readonly unsafe: boolean;
}

/** `replay dump`: a line an event, of the test and of its payment. */
export async function dump(
  { tests, payments }: Pick<Source, 'tests' | 'payments'>,
  id: string,
  { unsafe }: Options,
): Promise<readonly object[]> {
  const [ofTest, ofPayment] = await Promise.all([tests.readRemains(id), payments.readRemains(id)]);
  const toLine =
    (prefix: string) =>
    ({ seq, time, event }: Recorded<object>) => ({
      subject: `${prefix}.${id}`,
      seq,
      stored_at: new Date(time).toISOString(),
      ...(unsafe ? event : (redact(event) as object)),
    });
  return [...ofTest.events.map(toLine('tests')), ...ofPayment.events.map(toLine('payments'))];
}

/** `replay states`: each event with the state after it; `ignored` when it changed nothing. */
export async function states(
  { tests, payments }: Pick<Source, 'tests' | 'payments'>,
  id: string,
  until?: Until,
): Promise<readonly object[]> {
  return [
    ...(await walk(tests, 'tests', id, until, initial, evolveErased)),
    ...(await walk(payments, 'payments', id, until, foldPayment([]), evolvePayment)),
  ];
}

async function walk<
  E extends { readonly type: string; readonly at: string; readonly data?: object },
  S extends State,
>(
  log: Pick<EventLog<E>, 'readRemains'>,
  prefix: string,
  id: string,
  until: Until | undefined,
  initial: S,
  step: (state: S, event: E) => S,
): Promise<readonly object[]> {
  let state = initial;
  const recorded = (await log.readRemains(id)).events.filter((one) => isUntil(one, until));
  return recorded.map(({ seq, event }) => {
    const before = state;
    state = step(before, event);
    return {
      subject: `${prefix}.${id}`,
      seq,
      at: event.at,
      type: event.type,
      state: nameOfState(state),
      ...reasonOf(event),
      ...(state === before && { ignored: true }),
    };
  });
}

/** Why a mail was refused, or an analysis or a settlement failed. */
function reasonOf({ data }: { readonly data?: object }): object {
  const { reasons, reason, error } = (data ?? {}) as {
    readonly reasons?: readonly { readonly code: string; readonly detail: string }[];
    readonly reason?: string;
    readonly error?: string;
  };
  return {
    ...(reasons && { reasons: reasons.map(({ code, detail }) => ({ code, detail })) }),
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error }),
  };
}

type State = TestState | PaymentState;

/** `waiting.open` for a state within another. */
export function nameOfState({ value }: Pick<State, 'value'>): string {
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}
