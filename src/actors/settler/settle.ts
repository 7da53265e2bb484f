/**
 * Settles one payment, from its recorded start to the outcome that the chain confirms, and decides
 * settlements in progress by what the chain shows.
 */

import type { SettlementResponse } from '../../domain/x402.ts';
import type { SignedTx } from '../../ports/payment.ts';
import { OPEN, type Resolution, type SettlementContext } from './context.ts';
import { type Account, paymentOf } from './ledger.ts';
import { noteReverted, recorded, recordFailed, recordPaid } from './outcome.ts';

/**
 * Matches an x402 code. Reasons in any other form may quote what was sent or its destination, and must not
 * reach the log.
 */
const CODE = /^[a-z][a-z0-9_]{0,99}$/;

/**
 * Hands a settlement whose start is durable to the port that moves the money, with the log as its memory.
 *
 * @param networks the client's networks; empty if no client waits any more
 */
export async function runSettlement(
  context: SettlementContext,
  account: Account,
  networks: readonly string[] = [],
): Promise<Resolution> {
  const endSpan = context.traces?.begin('settlement', account.id);
  let state: string = 'defect';
  try {
    const resolution = await moveMoney(context, account, networks);
    state = resolution.state;
    return resolution;
  } finally {
    endSpan?.({ state });
  }
}

async function moveMoney(
  context: SettlementContext,
  account: Account,
  networks: readonly string[],
): Promise<Resolution> {
  const { budget, ledger, settlement, logger, timeouts } = context;
  const { id, state } = account;
  const { attempts: attempt, signed } = state.context;
  const payment = paymentOf(state);
  let now = account;
  const job = {
    payment,
    unproven: budget.isProven(payment.authorization.from) ? null : networks,
    signed: signed.map(({ attempt: _, ...tx }) => tx),
    recordSigned: async (tx: SignedTx) => {
      const appended = await ledger.append(now, 'TransactionSigned', { attempt, ...tx });
      if (appended.outcome !== 'appended') throw new Error('The transaction is not durable.');
      now = appended.after;
    },
  };
  const outcome = await settlement.settle(job, timeouts.settle);
  if (outcome.kind === 'settled') {
    const block = await confirm(context, account, outcome.receipt);
    // No third party's statement opens a report: only a payment that the chain shows is served.
    if (block !== undefined) return recordPaid(context, now, outcome.receipt, 'settle', block);
  } else {
    const reason = CODE.test(outcome.reason) ? outcome.reason : undefined;
    logger.warn({ payment_id: id, reason }, 'settlement outcome unknown');
  }
  // The payment was handed over, and anyone who has seen it may have sent it. Only the chain shows the
  // outcome.
  const decided = await askChain(context, id);
  if (outcome.kind === 'unknown' && outcome.reverted && decided.state !== 'paid')
    noteReverted(context, account, outcome.reverted);
  if (outcome.kind === 'unknown' && outcome.isRefusedByCode && decided.state === 'open')
    return { ...decided, isRefusedByCode: true };
  return decided;
}

async function confirm(
  { chain, logger }: SettlementContext,
  { id, state }: Account,
  { transaction }: SettlementResponse,
): Promise<number | undefined> {
  const block = await chain.confirm(paymentOf(state), transaction).catch(() => undefined);
  if (block === undefined)
    logger.warn({ payment_id: id, transaction }, 'the chain does not show the reported payment');
  return block;
}

/**
 * Queries the chain, and resumes the work if the chain does not decide and nobody else is working on the
 * settlement. Call it only if no other job of this process is working on this payment.
 */
export async function reconcile(context: SettlementContext, id: string): Promise<Resolution> {
  const { ledger, watch, replica } = context;
  const decided = await askChain(context, id);
  if (decided.state !== 'open') return decided;
  const account = await ledger.read(id);
  if (account.state.value !== 'settling') return recorded(context, id);
  // The settlement is ours, but none of our jobs is running: this process died during the work and has
  // restarted.
  const free = watch.isAbandoned(account) || account.by === replica;
  return free ? runSettlement(context, account) : OPEN;
}

/** Records what the chain shows about a settlement in progress. */
export async function askChain(context: SettlementContext, id: string): Promise<Resolution> {
  const { ledger, chain, logger, watch } = context;
  const account = await ledger.read(id);
  if (account.state.value !== 'settling') {
    watch.forget(id);
    return recorded(context, id);
  }

  const { started, signed } = account.state.context;
  const ours = signed.map(({ transaction }) => transaction);
  const onChain = await chain
    .outcome(paymentOf(account.state), started?.from_block ?? 0, ours)
    .catch((error: unknown) => {
      logger.warn({ payment_id: id, err: error }, 'chain not readable');
      return undefined;
    });
  switch (onChain?.state) {
    case 'settled':
      return recordPaid(context, account, onChain.receipt, 'reconcile', onChain.block);
    case 'cancelled':
      return recordFailed(context, account, 'cancelled', 'authorization_cancelled');
    case 'spent':
      return recordFailed(context, account, 'cancelled', 'authorization_used_elsewhere');
    case 'dead':
      return recordFailed(context, account, 'expired', 'authorization_expired');
    default:
      return OPEN;
  }
}
