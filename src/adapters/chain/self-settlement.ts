import { type Hex, keccak256, type TransactionReceipt } from 'viem';
import type { Clock } from '../../ports/ambient.ts';
import type { Outcome, Settlement, SettlementJob, SignedTx } from '../../ports/payment.ts';
import { type Attempt, openAttempt, unknownOutcome } from './attempt.ts';
import { deploymentOf, factoryHash } from './deployment.ts';
import type { GasLimits } from './fees.ts';
import { type Followed, follow } from './follow.ts';
import { estimateGas, maxGas, settlingCall, simulate } from './gas.ts';
import { answered, FeeError, isOurs, openRpc, type RpcOptions } from './rpc.ts';
import { officialScheme } from './scheme.ts';
import type { Signer } from './signer.ts';
import { isUsed, movedMoney, toReceipt } from './token.ts';
import { broadcast, openWallet } from './wallet.ts';

/** Six blocks of Base: one that is not mined by then was sent with too little. */
const PATIENCE_MS = 12_000;

/** Transactions signed again for one authorization, after the first. */
const MAX_SIGNED_AGAIN = 3;

/** Fee raises for one transaction: the last pays 2.5 times the first. */
const MAX_RAISES = 8;

/** An authorization with less life left is not sent again. */
const MIN_VALIDITY_MS = 20_000;

/** Settlements the wallet has to be good for, or nothing is started. */
const MIN_FUNDS = 5;
const FUNDS_MS = 5_000;

interface Options extends RpcOptions {
  /** Of the hot wallet. */
  readonly signer: Signer;
  /** Contracts that may deploy a payer's wallet with its first payment (ERC-6492); none by default. */
  readonly factories?: readonly string[];
  readonly limits: GasLimits;
  readonly clock: Clock;
  /** Milliseconds before an unmined transaction is replaced or signed again. */
  readonly patienceMs?: number;
}

/** What the hot wallet holds. */
export interface Funds {
  readonly wei: bigint;
  /** How many more it pays for at today's fees. */
  readonly settlements: number;
}

/** Settles by a transaction of our own: the official scheme, with a wallet that records first. */
export function selfSettlement(options: Options): Settlement & { funds(): Promise<Funds> } {
  const rpc = openRpc(options);
  const wallet = openWallet(rpc, options.signer, options.limits);
  const context = {
    rpc,
    wallet,
    clock: options.clock,
    patience: options.patienceMs ?? PATIENCE_MS,
    factories: options.factories ?? [],
  };
  const funds = () => answered(wallet.funds(), FUNDS_MS);

  const work = (job: SettlementJob, withinMs: number) =>
    definite(
      openAttempt(context, job, performance.now() + withinMs),
      // Also for a start: what was signed before must not be signed again unseen.
      job.signed.length > 0 ? goOn : start,
    );

  return {
    mode: 'self',
    funds,
    async ready() {
      const [{ settlements }] = await Promise.all([
        funds(),
        answered(wallet.allowsSettlement(), FUNDS_MS),
      ]);
      if (settlements < MIN_FUNDS)
        throw new Error(
          `The wallet's ether pays for ${settlements} settlements; ${MIN_FUNDS} are needed.`,
        );
    },
    async verify(payment, withinMs) {
      const sender = { address: wallet.address, send: unused, wait: unused };
      const simulating = simulate(rpc, wallet, payment);
      const scheme = officialScheme(rpc, sender, payment, context.factories, simulating);
      const checks = Promise.all([scheme.verify(), simulating, scheme.code()]);
      const [verdict, simulated, code] = await answered(checks, withinMs);
      const failure = scheme.failure();
      const deployment = deploymentOf(payment);
      const ofContract = code ? keccak256(code) : deployment && factoryHash(deployment);
      if (verdict.isValid && simulated)
        return { ok: true, ...(ofContract && { code: ofContract }) };
      if (failure) throw failure;
      const reason = verdict.isValid ? SIMULATION_FAILED : verdict.invalidReason;
      return { ok: false, reason: reason ?? 'invalid_payment' };
    },
    settle: work,
    resume: work,
  };
}

/** What the official scheme calls a call that would revert. */
const SIMULATION_FAILED = 'invalid_exact_evm_transaction_simulation_failed';

const unused = () => Promise.reject(new Error('nothing is sent to verify'));

/** Whatever goes wrong or lasts too long is unknown: the chain decides. */
async function definite(
  attempt: Attempt,
  work: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await answered(work(attempt), attempt.until - performance.now());
  } catch {
    return unknownOutcome(attempt, 'rpc_unavailable');
  }
}

/** Verifies once more, signs, records, sends, and waits for the block. */
async function start(attempt: Attempt): Promise<Outcome> {
  const { rpc, wallet, payment, factories } = attempt;
  const likely = settlingCall(payment);
  // Asked for while the scheme verifies.
  const likelyGas = likely && estimateGas(rpc, wallet, likely);
  likelyGas?.catch(() => undefined);
  let mined: TransactionReceipt | undefined;
  const scheme = officialScheme(
    rpc,
    {
      address: wallet.address,
      async send(to, data) {
        const isLikely = to === likely?.to && data === likely.data;
        const asked = isLikely ? likelyGas : undefined;
        const estimate = await noted(asked ?? estimateGas(rpc, wallet, { to, data }));
        const most = maxGas(payment);
        if (estimate > most) throw new Error('the payer needs too much gas');
        const call = { to, data, gas: smaller((estimate * 13n) / 10n, most) };
        return (await noted(wallet.send(call, attempt.work))).transaction as Hex;
      },
      async wait() {
        const end = await insist(attempt);
        if (typeof end === 'string') throw new Error(end);
        mined = end.mined;
        return end.mined;
      },
    },
    payment,
    factories,
  );
  let fault: unknown;
  const noted = <T>(step: Promise<T>) =>
    step.catch((error) => {
      if (isOurs(error)) fault = error;
      throw scheme.note(error);
    });
  const answer = await scheme.settle();
  if (mined) return judge(attempt, mined);

  const reason = answer.errorReason ?? 'settlement_failed';
  if (fault && !attempt.mayHaveSigned()) {
    const code = fault instanceof FeeError ? 'gas_fee_too_high' : 'wallet_signer_failed';
    return { kind: 'refused', reason: code, upstream: true };
  }
  if (attempt.mayHaveSigned()) return unknownOutcome(attempt, reason);
  if (scheme.failure()) return unknownOutcome(attempt, 'rpc_unavailable');
  // The payer, or another replica, may have sent it: then it is not refused but perhaps paid.
  return (await isUsed(rpc, payment))
    ? unknownOutcome(attempt, reason)
    : { kind: 'refused', reason };
}

/** Goes on with what was signed before a crash or an unknown outcome, by us or by another replica. */
async function goOn(attempt: Attempt): Promise<Outcome> {
  // It may never have been sent. If it was, this changes nothing.
  const newest = attempt.signed.at(-1);
  if (newest) await broadcast(attempt.rpc, newest);
  const end = await insist(attempt);
  if (typeof end !== 'string' && end.mined.status === 'success') return judge(attempt, end.mined);

  const { signed, wallet, payment, clock, until } = attempt;
  // Ours is still on its way; a stranger's that stays where it is has to be overtaken.
  const waiting = end === 'waiting' && signed.at(-1)?.wallet === wallet.address;
  const signings = signed.filter(({ replaces }) => replaces === undefined).length - 1;
  const left = Number(payment.authorization.validBefore) * 1000 - clock();
  const inTime = left > MIN_VALIDITY_MS && performance.now() < until;
  // A contract wallet whose transaction failed has had its chance: it can change its mind again.
  const failed = typeof end !== 'string' && (await isContract(attempt));
  if (failed) return { ...unknownOutcome(attempt, 'transaction_failed'), reverted: true };
  const again = !waiting && signings < MAX_SIGNED_AGAIN && inTime;
  return again ? start(attempt) : unknownOutcome(attempt, 'not_mined');
}

/**
 * Waits for the block; sends again, and raises the fees where the key is ours. A stranger's that
 * stays where it is comes back as `waiting` before the end.
 */
async function insist(attempt: Attempt): Promise<Followed> {
  const { rpc, wallet, signed, until, patience } = attempt;
  for (;;) {
    const newest = signed.at(-1);
    const ours = newest?.wallet === wallet.address;
    const raisable = !ours || raises(signed, newest) < MAX_RAISES;
    const pause = raisable ? Math.min(until, performance.now() + patience) : until;
    const end = await follow(rpc, signed, pause, wallet.fillGap);
    if (end !== 'waiting' || !ours || performance.now() >= until) return end;
    // Too dear to be raised: it waits for a cheaper block.
    const raisedTo = await wallet.replace(newest, attempt.work).catch(unlessFee);
    if (!raisedTo) return follow(rpc, signed, until, wallet.fillGap);
  }
}

function unlessFee(error: unknown): undefined {
  if (!(error instanceof FeeError)) throw error;
}

const raises = (signed: readonly SignedTx[], { wallet, wallet_nonce }: SignedTx) =>
  signed.filter((tx) => tx.replaces && tx.wallet === wallet && tx.wallet_nonce === wallet_nonce)
    .length;

/** By the logs, not by anybody's word. */
function judge(attempt: Attempt, mined: TransactionReceipt): Outcome {
  const { payment } = attempt;
  const tx = attempt.signed.find(({ transaction }) => transaction === mined.transactionHash);
  if (tx?.wallet === attempt.wallet.address) attempt.wallet.fees.settle(tx.wallet_nonce, mined);
  if (mined.status !== 'success')
    return { ...unknownOutcome(attempt, 'transaction_failed'), reverted: true };
  if (!movedMoney(mined.logs, payment)) return unknownOutcome(attempt, 'transaction_failed');
  return { kind: 'settled', receipt: toReceipt(payment, mined.transactionHash) };
}

const isContract = async ({ rpc, payment }: Attempt) =>
  deploymentOf(payment) !== undefined ||
  (await rpc.getCode({ address: payment.authorization.from as Hex })) !== undefined;

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
