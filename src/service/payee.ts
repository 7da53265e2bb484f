/**
 * Finds recent transfers to the payee that are not payments of this log, which show that another service may
 * be selling with the same payee.
 */

import { accountTransfers, type Transfer } from '../adapters/chain/account-transfers.ts';
import type { PaymentConfig } from '../config/config.ts';
import type { OriginalPaymentEvent, PaymentEvent } from '../domain/payment-events.ts';
import type { EventLog } from '../ports/log.ts';

/** Largest difference between the clocks of the log and the chain, in milliseconds. */
const SPARE_MS = 600_000;

/** Recent transfers to the payee, and which of them are not payments of this log. */
export interface PayeeBooks {
  /** Start of the period, in seconds since 1970. */
  readonly since: number;
  readonly unknown: readonly Transfer[];
}

/**
 * Compares recent transfers to the payee with the log. If two logs are paid at one address, each considers
 * the other's payments its own: one payment could open a report in both.
 *
 * @param payments the log of payments; `undefined` if there is none yet
 */
export async function checkPayee(
  { rpcUrl, network, asset, payTo }: PaymentConfig,
  payments: Pick<EventLog<PaymentEvent>, 'follow'> | undefined,
): Promise<PayeeBooks> {
  const account = accountTransfers({ rpcUrl, network }, asset, payTo);
  const { since, transfers } = await account.receivedLately();
  if (transfers.length === 0 || !payments) return { since, unknown: transfers };
  // The log is read after the chain, so that payments that are settled in the meantime are known.
  const known = await readKnown(payments, since * 1000 - SPARE_MS);
  return { since, unknown: transfers.filter((one) => !known.has(one.transaction.toLowerCase())) };
}

/** Returns the transactions that have paid, or may have paid, according to the log since a given time. */
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

/** A settlement in progress may have paid with any of the transactions that were signed for it. */
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
