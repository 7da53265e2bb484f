import type { SettlementResponse } from '../../domain/x402.ts';
import type { SignedTx } from '../../ports/payment.ts';
import { OPEN, type Resolution, type SettlementContext } from './context.ts';
import { type Account, paymentOf } from './ledger.ts';
import { noteTransaction, recorded, recordFailed, recordPaid } from './outcome.ts';

/** A code of x402. Others' own words may quote what was sent, or where to: they are not for the log. */
const CODE = /^[a-z][a-z0-9_]{0,99}$/;

/** Hands a settlement that is durably started to who moves the money, with the log as its memory. */
export async function runSettlement(
  context: SettlementContext,
  account: Account,
  how: 'settle' | 'resume',
): Promise<Resolution> {
  const endSpan = context.traces?.begin('settlement', account.id);
  let state: string = 'defect';
  try {
    const resolution = await moveMoney(context, account, how);
    state = resolution.state;
    return resolution;
  } finally {
    endSpan?.({ how, state });
  }
}

async function moveMoney(
  context: SettlementContext,
  account: Account,
  how: 'settle' | 'resume',
): Promise<Resolution> {
  const { ledger, settlement, logger, timeouts } = context;
  const { id, state } = account;
  const { attempts: attempt, signed, started } = state.context;
  let now = account;
  let signedNow = signed.length > 0;
  const job = {
    payment: paymentOf(state),
    signed: signed.map(({ attempt: _, ...tx }) => tx),
    recordSigned: async (tx: SignedTx) => {
      const appended = await ledger.append(now, 'TransactionSigned', { attempt, ...tx });
      // Even an unknown outcome forbids "refused" later: the event may be there.
      signedNow = true;
      if (appended.outcome !== 'appended') throw new Error('The transaction is not durable.');
      now = appended.after;
    },
  };
  const outcome = await settlement[how](job, timeouts.settle);
  if (outcome.kind === 'settled') {
    const block = await confirm(context, account, outcome.receipt);
    // Nobody's word opens a report: what the chain does not show is not served.
    if (block === undefined) return OPEN;
    return recordPaid(context, now, outcome.receipt, 'settle', block);
  }
  // Of an attempt that a facilitator began, our own refusal proves nothing: it may be under way.
  const ours = settlement.mode === 'self' && started?.mode === 'self';
  if (outcome.kind === 'refused' && ours && !signedNow)
    return withFault(await recordFailed(context, now, 'refused', outcome.reason), outcome.upstream);
  if (outcome.kind === 'unknown' && outcome.reverted) noteTransaction(context, account, 'reverted');
  const reason = CODE.test(outcome.reason) ? outcome.reason : undefined;
  logger.warn({ payment_id: id, how, reason }, 'settlement outcome unknown');
  return OPEN;
}

const withFault = (resolution: Resolution, upstream = false): Resolution =>
  resolution.state === 'failed' ? { ...resolution, upstream } : resolution;

async function confirm(
  { chain, logger }: SettlementContext,
  { id, state }: Account,
  { transaction }: SettlementResponse,
): Promise<number | undefined> {
  const block = await chain.confirm(paymentOf(state), transaction).catch(() => undefined);
  if (block === undefined)
    logger.warn({ payment_id: id, transaction }, 'the chain does not show what is said to be paid');
  return block;
}

/**
 * Asks the chain; decides if it can. With `takeOver`, goes on with the work if nobody else does:
 * only for a caller that knows that no other job of this process is at it.
 */
export async function reconcile(
  context: SettlementContext,
  id: string,
  takeOver: boolean,
): Promise<Resolution> {
  const { ledger, chain, logger, watch, replica } = context;
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
  if (!onChain) return OPEN;

  if (onChain.state === 'settled')
    return recordPaid(context, account, onChain.receipt, 'reconcile', onChain.block);
  if (onChain.state === 'cancelled')
    return recordFailed(context, account, 'cancelled', 'authorization_cancelled');
  if (onChain.state === 'spent')
    return recordFailed(context, account, 'cancelled', 'authorization_used_elsewhere');
  if (onChain.state === 'dead')
    return recordFailed(context, account, 'expired', 'authorization_expired');

  // Ours, and no job of ours runs: the process died in the middle and is back.
  const free = watch.isAbandoned(account) || account.by === replica;
  return takeOver && free ? runSettlement(context, account, 'resume') : OPEN;
}
