import type { SettlementResponse } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Outcome, PaymentChain, Settlement, SignedTx } from '../../ports/payment.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { watchAbandoned } from './abandoned.ts';
import { type Account, type PaymentLedger, paymentOf } from './ledger.ts';
import type { Timeouts } from './timeouts.ts';

/** How a settlement stands after we worked on it. `open`: the chain has not decided. */
export type Resolution =
  | { readonly state: 'paid'; readonly receipt: SettlementResponse }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open' };

export interface SettlePorts {
  readonly ledger: PaymentLedger;
  readonly settlement: Settlement;
  readonly chain: PaymentChain;
  readonly clock: Clock;
  readonly replica: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timeouts: Timeouts;
}

export const OPEN: Resolution = { state: 'open' };

/** Works on one settlement that is durably started, until it is decided or has to wait. */
export function settling(ports: SettlePorts) {
  const { ledger, settlement, chain, clock, replica, logger, metrics, timeouts } = ports;
  const watch = watchAbandoned(clock, timeouts);

  /** What the log holds now, after somebody else decided first. */
  async function recorded(id: string): Promise<Resolution> {
    const { state } = await ledger.read(id);
    if (state.value === 'paid' && state.context.settled)
      return { state: 'paid', receipt: state.context.settled.receipt };
    if (state.value === 'unpaid' && state.context.failed)
      return { state: 'failed', reason: state.context.failed.error };
    return OPEN;
  }

  /** Nothing is served that is not durable: an outcome whose append is unknown stays open. */
  async function paid(
    { id, state }: Account,
    seq: number,
    receipt: SettlementResponse,
    found_by: 'settle' | 'reconcile',
    block?: number,
  ): Promise<Resolution> {
    const expires = state.context.started?.report_expires_at;
    const late = expires != null && clock() > Date.parse(expires);
    const appended = await ledger.append(id, seq, 'PaymentSettled', {
      attempt: state.context.attempts,
      receipt,
      ...(block === undefined ? {} : { block }),
      found_by,
      late,
    });
    if (appended.outcome === 'lost') return recorded(id);
    if (appended.outcome !== 'appended') return OPEN;
    metrics.payments.inc({ outcome: 'settled' });
    logger.info({ payment_id: id, transaction: receipt.transaction, found_by }, 'payment settled');
    if (late) {
      metrics.paymentsLate.inc();
      logger.warn({ payment_id: id }, 'payment settled after its report was deleted');
    }
    return { state: 'paid', receipt };
  }

  async function failed(
    { id, state }: Account,
    seq: number,
    reason: 'expired' | 'cancelled' | 'refused',
    error: string,
  ): Promise<Resolution> {
    const appended = await ledger.append(id, seq, 'SettlementFailed', {
      attempt: state.context.attempts,
      reason,
      error: error.slice(0, 300),
    });
    if (appended.outcome === 'lost') return recorded(id);
    if (appended.outcome !== 'appended') return OPEN;
    metrics.payments.inc({ outcome: reason });
    logger.info({ payment_id: id, reason }, 'settlement failed');
    return { state: 'failed', reason: error };
  }

  /** Hands the job to the settlement, with the log as its memory. */
  async function run(account: Account, how: 'settle' | 'resume'): Promise<Resolution> {
    const { id, state } = account;
    let { seq } = account;
    let signedNow = state.context.signed.length > 0;
    const job = {
      payment: paymentOf(state),
      signed: state.context.signed.map(({ attempt: _, ...tx }) => tx),
      recordSigned: async (tx: SignedTx) => {
        const appended = await ledger.append(id, seq, 'TransactionSigned', {
          attempt: state.context.attempts,
          ...tx,
        });
        // Even an unknown outcome forbids "refused" later: the event may be there.
        signedNow = true;
        if (appended.outcome !== 'appended') throw new Error('The transaction is not durable.');
        seq = appended.seq;
      },
    };
    const outcome: Outcome = await settlement[how](job, timeouts.settle);
    if (outcome.kind === 'settled')
      return paid(account, seq, outcome.receipt, 'settle', outcome.block);
    // Of an attempt that a facilitator began, our own refusal proves nothing: it may be under way.
    const ours = settlement.mode === 'self' && state.context.started?.mode === 'self';
    if (outcome.kind === 'refused' && ours && !signedNow)
      return failed(account, seq, 'refused', outcome.reason);
    logger.warn({ payment_id: id, how }, 'settlement outcome unknown');
    return OPEN;
  }

  /**
   * Asks the chain; decides if it can. With `takeOver`, goes on with the work if nobody else does:
   * only for a caller that knows that no other job of this process is at it.
   */
  async function reconcile(id: string, takeOver: boolean): Promise<Resolution> {
    const account = await ledger.read(id);
    if (account.state.value !== 'settling') {
      watch.forget(id);
      return recorded(id);
    }

    const { started } = account.state.context;
    const onChain = await chain
      .outcome(paymentOf(account.state), started?.from_block ?? 0)
      .catch((error: unknown) => {
        logger.warn({ payment_id: id, err: error }, 'chain not readable');
        return undefined;
      });
    if (!onChain) return OPEN;

    if (onChain.state === 'settled')
      return paid(account, account.seq, onChain.receipt, 'reconcile', onChain.block);
    if (onChain.state === 'cancelled')
      return failed(account, account.seq, 'cancelled', 'authorization_cancelled');
    if (onChain.state === 'dead')
      return failed(account, account.seq, 'expired', 'authorization_expired');

    // Ours, and no job of ours runs: the process died in the middle and is back.
    const free = watch.isAbandoned(account) || account.by === replica;
    return takeOver && free ? run(account, 'resume') : OPEN;
  }

  return { settle: (account: Account) => run(account, 'settle'), reconcile, recorded };
}
