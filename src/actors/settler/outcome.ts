/**
 * Records how the settlement of a payment ended, in the log and against the limits of its payer. If someone
 * else decided first, it returns what the log contains.
 */

import type { SettlementResponse } from '../../domain/x402.ts';
import { OPEN, type Resolution, type SettlementContext } from './context.ts';
import type { Account } from './ledger.ts';

/** Returns what the log contains now, after someone else decided first. */
export async function recorded(
  { ledger, shares }: SettlementContext,
  id: string,
): Promise<Resolution> {
  const { state } = await ledger.read(id);
  if (state.value === 'paid') shares.paid(id);
  if (state.value === 'paid' && state.context.settled)
    return { state: 'paid', receipt: state.context.settled.receipt };
  if (state.value === 'unpaid' && state.context.failed)
    return { state: 'failed', reason: state.context.failed.error };
  return OPEN;
}

/**
 * Records that the payment was made. Nothing is served before it is durable: if the append has an unknown
 * outcome, the settlement stays open.
 */
export async function recordPaid(
  context: SettlementContext,
  account: Account,
  receipt: SettlementResponse,
  found_by: 'settle' | 'reconcile',
  block: number,
): Promise<Resolution> {
  const { ledger, clock, logger, metrics } = context;
  const { id, state } = account;
  const expires = state.context.started?.report_expires_at;
  const isThere = () => context.isThere(id).catch(() => true);
  const late = expires != null && (clock() > Date.parse(expires) || !(await isThere()));
  const appended = await ledger.append(account, 'PaymentSettled', {
    attempt: state.context.attempts,
    receipt,
    block,
    found_by,
    late,
  });
  if (appended.outcome === 'lost') return recorded(context, id);
  if (appended.outcome !== 'appended') return OPEN;
  context.budget.note(payerOf(account), receipt.transaction, 'paid');
  context.shares.paid(id);
  metrics.payments.inc({ outcome: 'settled' });
  const { startedAt } = state.context;
  if (startedAt !== null) metrics.settleSeconds.observe((clock() - Date.parse(startedAt)) / 1000);
  logger.info({ payment_id: id, transaction: receipt.transaction, found_by }, 'payment settled');
  if (late) {
    metrics.paymentsLate.inc();
    logger.warn({ payment_id: id }, 'payment settled after its report was deleted');
  }
  return { state: 'paid', receipt };
}

/**
 * Records that one of our transactions failed and that no other transaction paid: the payer has to wait. Each
 * failure is counted once.
 */
export function noteReverted(
  { budget, metrics }: SettlementContext,
  account: Account,
  transaction: string,
): void {
  if (budget.note(payerOf(account), transaction, 'failed'))
    metrics.payments.inc({ outcome: 'reverted' });
}

const payerOf = ({ state }: Account) => state.context.started?.payload.authorization.from ?? '';

/**
 * Records that a settlement failed. There are no failures other than these, each of which proves that the
 * money can no longer move.
 */
export async function recordFailed(
  context: SettlementContext,
  account: Account,
  reason: 'expired' | 'cancelled' | 'refused',
  error: string,
): Promise<Resolution> {
  const { id, state } = account;
  const appended = await context.ledger.append(account, 'SettlementFailed', {
    attempt: state.context.attempts,
    reason,
    error: error.slice(0, 300),
  });
  if (appended.outcome === 'lost') return recorded(context, id);
  if (appended.outcome !== 'appended') return OPEN;
  // A settlement that expires costs the payer nothing, but it leaves an entry in our log forever.
  if (reason === 'expired')
    context.budget.note(payerOf(account), state.context.started?.claim ?? '', 'failed');
  if (reason === 'cancelled') context.budget.doubt(payerOf(account));
  context.metrics.payments.inc({ outcome: reason });
  context.logger.info({ payment_id: id, reason }, 'settlement failed');
  return { state: 'failed', reason: error };
}
