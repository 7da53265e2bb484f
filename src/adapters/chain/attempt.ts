import type { Hex } from 'viem';
import type { Clock } from '../../ports/ambient.ts';
import type { SettlementJob, SettlementOutcome, SignedTx } from '../../ports/payment.ts';
import type { Rpc } from './rpc.ts';
import type { Wallet } from './wallet.ts';

interface Context {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly clock: Clock;
  readonly patience: number;
}

export type Attempt = ReturnType<typeof openAttempt>;

/**
 * The work on one job: what was signed for it, here and before, grows as it goes.
 *
 * @param until by `performance.now()`
 */
export function openAttempt(context: Context, job: SettlementJob, until: number) {
  const signed: SignedTx[] = [...job.signed];
  const work = {
    until,
    unproven: job.unproven,
    async record(tx: SignedTx) {
      // A node that refuses its nonce has the very same one signed again.
      if (signed.some(({ transaction }) => transaction === tx.transaction)) return;
      await job.recordSigned(tx);
      signed.push(tx);
    },
  };
  return {
    ...context,
    payment: job.payment,
    until,
    signed,
    work,
  };
}

export function unknownOutcome(
  { signed }: Attempt,
  reason: string,
): SettlementOutcome & { readonly kind: 'unknown' } {
  const newest = signed.at(-1);
  return newest
    ? { kind: 'unknown', reason, transaction: newest.transaction as Hex }
    : { kind: 'unknown', reason };
}
