/**
 * Reads and appends the events of one payment at the leader of the log, and returns the signed payment of a
 * settlement.
 */

import { toEvent } from '../../domain/envelope.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { PaymentEvent, PaymentEventOf } from '../../domain/payment-events.ts';
import type { Hex } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Appended, EventLog } from '../../ports/log.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import { evolvePayment, foldPayment, type PaymentState } from '../../projection/fold.ts';

/** A payment as the leader knows it. */
export interface Account {
  readonly id: string;
  readonly state: PaymentState;
  /** The sequence number that the next append expects. */
  readonly seq: number;
  /** The replica that wrote the last event. */
  readonly by: string | null;
}

interface Ports {
  readonly payments: EventLog<PaymentEvent>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly replica: string;
}

type Recorded =
  | { readonly outcome: 'appended'; readonly after: Account }
  | { readonly outcome: Exclude<Appended['outcome'], 'appended'> };

type Payload<Name extends PaymentEvent['type']> = PaymentEventOf<Name>['data'];

/** Reads and writes `payments.<id>`. It never relies on memory, because money depends on it. */
export function paymentLedger({ payments, clock, newId, replica }: Ports) {
  async function read(id: string): Promise<Account> {
    const events = await payments.read(id);
    const last = events.at(-1);
    return {
      id,
      state: foldPayment(events.map(({ event }) => event)),
      seq: last?.seq ?? 0,
      by: last?.event.by ?? null,
    };
  }

  /**
   * Appends an event, and also returns the account after it. Nothing came in between, because the event would
   * not have been appended otherwise.
   */
  async function append<Name extends PaymentEvent['type']>(
    { id, seq, state }: Account,
    type: Name,
    data: Payload<Name>,
  ): Promise<Recorded> {
    const author = { id: newId(), by: replica, at: clock(), after: state.context.at };
    const event = toEvent({ type, data }, author) as unknown as PaymentEvent;
    const appended = await payments.append(id, event, seq);
    if (appended.outcome !== 'appended') return { outcome: appended.outcome };
    const after = { id, state: evolvePayment(state, event), seq: appended.seq, by: replica };
    return { outcome: 'appended', after };
  }

  return { read, append };
}

export type PaymentLedger = ReturnType<typeof paymentLedger>;

/** Returns the signed payment of a settlement in progress. */
export function paymentOf({ context }: PaymentState): SignedPayment {
  // A state without a start has nothing to resume, so reaching this line is a defect.
  if (!context.started) throw new ServiceError('internal_error');
  return paymentOfStart(context.started);
}

/** Returns the signed payment that a settlement was started with. */
export const paymentOfStart = ({
  requirements,
  payload: { signature, authorization },
  echoed,
}: Payload<'SettlementStarted'>): SignedPayment => ({
  requirements,
  signature: signature as Hex,
  authorization,
  ...(echoed && { echoed }),
});
