import type {
  OriginalPaymentEvent,
  PaymentEvent,
  PaymentEventOf,
} from '../domain/payment-events.ts';
import { evolvePayment, foldPayment } from './fold.ts';
import { originalEvents } from './original-events.ts';
import { REPAIR, type RestoredHistory } from './restore-test.ts';

/** What the chain knows of a payment. */
export interface PaymentCopies {
  /** The start of the settlement that paid, by its transfer. */
  readonly start: PaymentEventOf<'SettlementStarted'> | undefined;
  readonly newId: () => string;
}

/**
 * The history of a damaged payment from the events that are left. What has paid stays paid; what is
 * open stays open, and the service asks the chain about it.
 */
export function restorePayment(
  left: readonly PaymentEvent[],
  { start, newId }: PaymentCopies,
): RestoredHistory<OriginalPaymentEvent> {
  const events: OriginalPaymentEvent[] = [];
  let state = foldPayment([]);
  const add = (event: OriginalPaymentEvent) => {
    events.push(event);
    state = evolvePayment(state, event);
  };
  for (const event of originalEvents(left)) {
    // A further attempt begins only after the one before it has failed.
    if (event.type === 'SettlementStarted' && state.value === 'settling')
      add(failureBefore(event, state.context.attempts, newId()));
    if (event.type !== 'SettlementStarted' && state.value === 'unpaid' && start) add(start);
    if (!state.can(event)) return { missing: `what came before ${event.type}` };
    add(event);
  }
  return events.length > 0 ? { events } : { missing: 'every event' };
}

const failureBefore = (
  { at }: PaymentEventOf<'SettlementStarted'>,
  attempt: number,
  id: string,
): PaymentEventOf<'SettlementFailed'> => ({
  ...{ v: 1, id, type: 'SettlementFailed', at, by: REPAIR },
  data: { attempt, reason: 'refused', error: 'not_recorded' },
});
