/**
 * Settles payments with transactions of our own wallet, raises the fees of those that are not mined,
 * continues with transactions that were signed before a crash, and tells for how many settlements the wallet
 * can still pay.
 */

import type { Hex, TransactionReceipt } from 'viem';
import type { Clock } from '../../ports/ambient.ts';
import type {
  Settlement,
  SettlementJob,
  SettlementOutcome,
  SignedTx,
} from '../../ports/payment.ts';
import { smaller } from './bigint.ts';
import { BLOCK_MS } from './cached.ts';
import { deploymentOf } from './deployment.ts';
import type { GasLimits } from './fees.ts';
import { type Followed, follow } from './follow.ts';
import { estimateGas, maxGas, settlingCall } from './gas.ts';
import {
  answered,
  FeeError,
  isAnswer,
  openRpc,
  type Rpc,
  type RpcOptions,
  SignerError,
} from './rpc.ts';
import { isRefusedByCode } from './signature.ts';
import type { Signer } from './signer.ts';
import { movedMoney, toReceipt } from './token.ts';
import { broadcast, openWallet, type Wallet } from './wallet.ts';

/** Number of blocks after which the fee of a transaction that is not mined is considered too low. */
const PATIENCE_BLOCKS = 6;

/** Number of further transactions that are signed for one authorization after the first. */
const MAX_SIGNED_AGAIN = 3;

/** Number of fee raises for one transaction. The last one pays 2.5 times the first. */
const MAX_RAISES = 8;

/**
 * Minimum remaining lifetime of an authorization, in milliseconds: for a transaction to be signed and sent at
 * all, and for a further one after that.
 */
const MIN_SENDING_MS = 6_000;
const MIN_VALIDITY_MS = 20_000;

/** Number of settlements that the wallet must be able to pay for before one is started. */
const MIN_FUNDS = 5;
const FUNDS_MS = 5_000;

interface Options extends RpcOptions {
  /** The signer that holds the key of the hot wallet. */
  readonly signer: Signer;
  readonly limits: GasLimits;
  readonly clock: Clock;
  /** Time between two blocks, in milliseconds. Waits for the chain are measured in blocks. */
  readonly blockMs?: number | undefined;
}

/** The funds of the hot wallet. */
export interface Funds {
  readonly wei: bigint;
  /** Number of settlements that the wallet can still pay for at today's fees. */
  readonly settlements: number;
}

/** Settles with a transaction of our own, which is recorded before it is sent. */
export function selfSettlement(options: Options): Settlement & { funds(): Promise<Funds> } {
  const { signer, limits, clock, blockMs = BLOCK_MS } = options;
  const rpc = openRpc(options);
  const wallet = openWallet(rpc, signer, limits, blockMs);
  const context = { rpc, wallet, clock, blockMs };
  const funds = () => answered(wallet.funds(), FUNDS_MS);

  return {
    mode: 'self',
    funds,
    async ready(unproven) {
      const [{ settlements }] = await Promise.all([
        funds(),
        answered(wallet.allowsSettlement(unproven), FUNDS_MS),
      ]);
      if (settlements < MIN_FUNDS)
        throw new Error(
          `The wallet's ether can pay for ${settlements} settlements; ${MIN_FUNDS} are needed.`,
        );
    },
    async settle(job, withinMs) {
      const attempt = openAttempt(context, job, performance.now() + withinMs);
      // If something was signed before, its outcome is examined before anything is signed again.
      const work = job.signed.length > 0 ? goOn : start;
      // Anything that goes wrong or takes too long leaves the outcome unknown: the chain decides.
      return answered(work(attempt), withinMs).catch((error: unknown) => unknown(codeOf(error)));
    },
  };
}

/** Returns the code of an error, which is what gets logged. */
function codeOf(error: unknown): string {
  if (error instanceof FeeError) return 'gas_fee_too_high';
  if (error instanceof SignerError) return 'wallet_signer_failed';
  return 'rpc_unavailable';
}

/**
 * Simulates, signs, records, sends, and waits for the block. A simulation that fails now proves nothing: the
 * node that ran it may send the payment itself, which may succeed a block later.
 */
async function start(attempt: Attempt): Promise<SettlementOutcome> {
  const { rpc, wallet, payment, work } = attempt;
  if (lifeLeft(attempt) < MIN_SENDING_MS) return unknown('too_late');
  const call = settlingCall(payment);
  const most = maxGas(payment);
  const estimate = await estimateGas(rpc, wallet, call).catch((error: unknown) => {
    if (!isAnswer(error)) throw error;
  });
  if (estimate === undefined && (await isRefusedByCode(rpc, payment)))
    return { ...unknown('account_code_refuses'), isRefusedByCode: true };
  if (estimate === undefined || estimate > most) return unknown('simulation_failed');
  await wallet.send({ ...call, gas: smaller((estimate * 13n) / 10n, most) }, work);
  const end = await insist(attempt);
  return typeof end === 'string' ? unknown('not_mined') : judge(attempt, end.mined);
}

/** Continues with what was signed before a crash or an unknown outcome, by us or by another replica. */
async function goOn(attempt: Attempt): Promise<SettlementOutcome> {
  // The transaction may never have been sent. If it was, sending it again changes nothing.
  const newest = attempt.signed.at(-1);
  if (newest) await broadcast(attempt.rpc, newest);
  const end = await insist(attempt);
  if (typeof end !== 'string' && end.mined.status === 'success') return judge(attempt, end.mined);

  const { signed, wallet, work } = attempt;
  // Our transaction is still on its way. If the transaction of another wallet is stuck, it has to be
  // overtaken.
  const waiting = end === 'waiting' && signed.at(-1)?.wallet === wallet.address;
  const signings = signed.filter(({ replaces }) => replaces === undefined).length - 1;
  const inTime = lifeLeft(attempt) > MIN_VALIDITY_MS && performance.now() < work.until;
  // A contract wallet whose transaction failed gets no second attempt, because it can change its decision
  // again.
  const failed = typeof end !== 'string' && (await isContract(attempt));
  if (failed) return reverted(end.mined);
  const again = !waiting && signings < MAX_SIGNED_AGAIN && inTime;
  return again ? start(attempt) : unknown('not_mined');
}

/**
 * Waits for the block, sends again, and raises the fees if the key is ours. If the transaction of another
 * wallet does not move, `waiting` is returned before the end.
 */
async function insist(attempt: Attempt): Promise<Followed> {
  const { wallet, signed, work, blockMs } = attempt;
  const { until } = work;
  for (;;) {
    const newest = signed.at(-1);
    const ours = newest?.wallet === wallet.address;
    const raisable = !ours || raises(signed, newest) < MAX_RAISES;
    const pause = raisable ? Math.min(until, performance.now() + PATIENCE_BLOCKS * blockMs) : until;
    const end = await follow(attempt, signed, pause);
    if (end !== 'waiting' || !ours || performance.now() >= until) return end;
    // Raising the fees would cost too much, so the transaction waits for a cheaper block.
    const raisedTo = await wallet.replace(newest, work).catch(unlessFee);
    if (!raisedTo) return follow(attempt, signed, until);
  }
}

function unlessFee(error: unknown): undefined {
  if (!(error instanceof FeeError)) throw error;
}

const raises = (signed: readonly SignedTx[], { wallet, wallet_nonce }: SignedTx) =>
  signed.filter((tx) => tx.replaces && tx.wallet === wallet && tx.wallet_nonce === wallet_nonce)
    .length;

/** Judges the outcome by the logs of the transaction, not by anyone's statement. */
function judge(attempt: Attempt, mined: TransactionReceipt): SettlementOutcome {
  const { payment } = attempt;
  const tx = attempt.signed.find(({ transaction }) => transaction === mined.transactionHash);
  if (tx?.wallet === attempt.wallet.address) attempt.wallet.fees.settle(tx.wallet_nonce, mined);
  if (mined.status !== 'success') return reverted(mined);
  if (!movedMoney(mined.logs, payment)) return unknown('transaction_failed');
  return { kind: 'settled', receipt: toReceipt(payment, mined.transactionHash) };
}

const reverted = ({ transactionHash }: TransactionReceipt) => ({
  ...unknown('transaction_failed'),
  reverted: transactionHash,
});

/** Returns the remaining lifetime of the authorization, in milliseconds. */
const lifeLeft = ({ payment, clock }: Attempt) =>
  Number(payment.authorization.validBefore) * 1000 - clock();

const isContract = async ({ rpc, payment }: Attempt) =>
  deploymentOf(payment) !== undefined ||
  (await rpc.getCode({ address: payment.authorization.from as Hex })) !== undefined;

interface Context {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  readonly clock: Clock;
  readonly blockMs: number;
}

type Attempt = ReturnType<typeof openAttempt>;

/**
 * Begins the work on one job. The list of transactions that were signed for it, here and before, grows as the
 * work proceeds.
 *
 * @param until in `performance.now()` time
 */
function openAttempt(context: Context, job: SettlementJob, until: number) {
  const signed: SignedTx[] = [...job.signed];
  const work = {
    until,
    unproven: job.unproven,
    async record(tx: SignedTx) {
      // If a node refuses the nonce of a transaction, the very same transaction is signed again.
      if (signed.some(({ transaction }) => transaction === tx.transaction)) return;
      await job.recordSigned(tx);
      signed.push(tx);
    },
  };
  return { ...context, payment: job.payment, signed, work };
}

const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;
