/**
 * Runs `replay end`, which ends a test whose history in the log is damaged, and declares the result that this
 * and similar remedies have.
 */

import { randomUUID } from 'node:crypto';
import { OPERATOR, toEvent } from '../../domain/envelope.ts';
import type { Damage } from '../../domain/history.ts';
import { foldPayment } from '../../projection/fold.ts';
import type { Source } from './source.ts';
import { lostTailOf } from './verify.ts';

/** The result of an attempt to remedy damage. */
export interface Remedy {
  readonly subject: string;
  readonly problem: Damage['problem'] | null;
  /** Sequence number of the message at which the damage shows. */
  readonly seq: number | null;
  /**
   * Type of the event that remedies the damage. `undefined` if nothing can be done; `why` then gives the
   * reason.
   */
  readonly event?: string;
  /** True if the event is in the log now. */
  readonly appended: boolean;
  readonly why?: string;
}

interface Options {
  /** The present time, in milliseconds since 1970. */
  readonly now: number;
  /** True to apply the change. Otherwise nothing changes: a dry run. */
  readonly apply: boolean;
}

/** Only a newer release knows whether an event that it has written is an end or a payment. */
export const NEWER = 'a newer release wrote part of it: run that release';

export const stateOf = (subject: string, damage: Damage | undefined) => ({
  ...{ subject, problem: damage?.problem ?? null, seq: damage?.seq ?? null },
  appended: false,
});

/**
 * Runs `replay end`, which ends a test whose history is damaged, as the holder of its token could. The
 * service then erases the rest of it.
 */
export async function endTest(
  { tests, payments, statusViews }: Pick<Source, 'tests' | 'payments' | 'statusViews'>,
  id: string,
  { now, apply }: Options,
): Promise<Remedy> {
  const { end, damage: found } = await tests.readRemains(id);
  const damage = found ?? lostTailOf(await statusViews.get(id), end, now);
  const state = stateOf(`tests.${id}`, damage);
  if (!damage)
    return { ...state, why: end === 0 ? 'there is no such test' : 'its history is complete' };
  if (damage.problem === 'newer') return { ...state, why: NEWER };
  const payment = foldPayment((await payments.readRemains(id)).events.map(({ event }) => event));
  if (payment.value === 'settling')
    return {
      ...state,
      why: 'a payment for this test is pending: end the test once the payment is decided',
    };
  const author = { id: randomUUID(), by: OPERATOR, at: now };
  const event = toEvent({ type: 'TestDeleted', data: {} }, author);
  if (!apply) return { ...state, event: event.type };
  const { outcome } = await tests.append(id, event, end);
  if (outcome !== 'appended') return { ...state, why: `the end could not be stored: ${outcome}` };
  await statusViews.erase(id);
  return { ...state, event: event.type, appended: true };
}
