import { accountTransfers, type Transfer } from '../adapters/chain/account-transfers.ts';
import type { PaymentConfig } from '../config/config.ts';
import type { OriginalPaymentEvent, PaymentEvent } from '../domain/payment-events.ts';
import type { EventLog } from '../ports/log.ts';

/** How far the clocks of log and chain may be apart, in milliseconds. */
const SPARE_MS = 600_000;

/** What came to the payee lately, and which of it is no payment of this log. */
export interface PayeeBooks {
  /** Since when, in seconds since 1970. */
  readonly since: number;
  readonly unknown: readonly Transfer[];
}

/**
 * Holds what came to the payee lately against the log. Two logs that are paid at one address take each other's
 * payments for their own: one payment could open a report in each.
 *
 * @param payments `undefined`: there is no log yet
 */
export async function checkPayee(
  { rpcUrl, network, asset, payTo }: PaymentConfig,
  payments: Pick<EventLog<PaymentEvent>, 'follow'> | undefined,
): Promise<PayeeBooks> {
  const account = accountTransfers({ rpcUrl, network }, asset, payTo);
  const { since, transfers } = await account.receivedLately();
  if (transfers.length === 0 || !payments) return { since, unknown: transfers };
  // After the chain: what is settled meanwhile is known.
  const known = await readKnown(payments, since * 1000 - SPARE_MS);
  return { since, unknown: transfers.filter((one) => !known.has(one.transaction.toLowerCase())) };
}

/** The transactions that the log has as payments since an instant. */
async function readKnown(
  payments: Pick<EventLog<PaymentEvent>, 'follow'>,
  time: number,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const add = (event: OriginalPaymentEvent) => {
    for (const transaction of transactionsOf(event)) known.add(transaction.toLowerCase());
  };
  const { ready, stop } = payments.follow({
    from: { time: Math.max(0, time) },
    onEvent({ event }) {
      if (event.type === 'HistoryRestored') for (const one of event.data.events) add(one);
      else add(event);
    },
  });
  await ready.finally(stop);
  return known;
}

/** A settlement that is under way may have paid by what it signed. */
function transactionsOf(event: OriginalPaymentEvent): readonly string[] {
  switch (event.type) {
    case 'TransactionSigned':
      return [event.data.transaction];
    case 'PaymentSettled':
      return [event.data.receipt.transaction];
    case 'PaymentClosed':
      return event.data.settled ? [event.data.settled.receipt.transaction] : [];
    default:
      return [];
  }
}
