import type { Hex } from 'viem';
import type { Clock } from '../../ports/ambient.ts';
import type { Outcome, SettlementJob, SignedTx } from '../../ports/payment.ts';
import type { Rpc } from './rpc.ts';
import type { Wallet } from './wallet.ts';

interface Context {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly clock: Clock;
  readonly patience: number;
  readonly factories: readonly string[];
}

export type Attempt = ReturnType<typeof openAttempt>;

/**
 * The work on one job: what was signed for it, here and before, grows as it goes.
 *
 * @param until by `performance.now()`
 */
export function openAttempt(context: Context, job: SettlementJob, until: number) {
  const signed: SignedTx[] = [...job.signed];
  let recording = false;
  const work = {
    until,
    async record(tx: SignedTx) {
      recording = true;
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
    /** Whether a transaction may exist: signed before, or the record of one was tried. */
    mayHaveSigned: () => recording || signed.length > 0,
  };
}

export function unknownOutcome(
  { signed }: Attempt,
  reason: string,
): Outcome & { readonly kind: 'unknown' } {
  const newest = signed.at(-1);
  return newest
    ? { kind: 'unknown', reason, transaction: newest.transaction as Hex }
    : { kind: 'unknown', reason };
}
