/**
 * Answers questions about payments from what one node of the chain shows: whether the payer signed, what the
 * payer's balance is, whether a transaction paid, and how an authorization ended. Also examines the node
 * itself.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Hex, TransactionReceipt } from 'viem';
import type { NodeLook } from '../../domain/node-needs.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { ChainOutcome, PaymentChain, SignedPayment } from '../../ports/payment.ts';
import { type End, ended, firstBlock, lastBlock, readEnd } from './authorization-end.ts';
import { BLOCK_MS, cached } from './cached.ts';
import { nodeLook } from './node-look.ts';
import {
  answered,
  ContradictionError,
  findReceipt,
  openRpc,
  type Rpc,
  type RpcOptions,
} from './rpc.ts';
import { isSignedByKey, judgeSignature, spell } from './signature.ts';
import { isUsed, movedMoney, tokenAbi, toReceipt } from './token.ts';
import { type Evidence, provenBy } from './verdict.ts';

/** Maximum age of the head at which a search begins: 30 blocks, in milliseconds. */
const HEAD_AGE_MS = 60_000;

/** Time after the end of an authorization from which every node must have its logs, in seconds. */
const LOGS_SECONDS = 3_600n;

/**
 * Time limit for finding one outcome, in milliseconds, however many queries it takes: enough for about five
 * days of blocks.
 */
const OUTCOME_MS = 30_000;
const HEAD_MS = 10_000;

/**
 * Number of blocks by which a node may lag behind the one that settled, and the pause before it is asked
 * again, in milliseconds.
 */
const CONFIRM_BLOCKS = 4;
const CONFIRM_PAUSE_MS = 300;

/**
 * How far a block's time may be ahead of our clock, in seconds. A block that is further ahead proves nothing.
 */
const MOST_AHEAD = 90;

interface Options extends RpcOptions {
  /** The clock that block times are compared with. Without it, block times are trusted. */
  readonly clock?: Clock;
  /** Time between two blocks, in milliseconds. */
  readonly blockMs?: number | undefined;
}

/** A node of the chain, which is asked about payments and about itself. */
export interface ChainNode extends PaymentChain {
  /** Returns what the node shows about itself. */
  look(): Promise<NodeLook>;
  /** Returns the hash of one of its blocks. */
  hashAt(block: number): Promise<string>;
}

/** Opens the chain as the judge of payments: see `PaymentChain`. Every rejection is an `RpcError`. */
export function paymentChain(options: Options): ChainNode {
  const { clock, blockMs = BLOCK_MS } = options;
  const rpc = openRpc(options);
  const confirmMs = CONFIRM_BLOCKS * blockMs;
  const head = cached(HEAD_AGE_MS, () => rpc.getBlockNumber());
  const latest = () => (clock ? clock() / 1000 + MOST_AHEAD : Number.POSITIVE_INFINITY);
  const look = nodeLook(rpc);
  return {
    look: () => answered(look(), HEAD_MS),
    hashAt: async (block) =>
      (await answered(rpc.getBlock({ blockNumber: BigInt(block) }), HEAD_MS)).hash,
    head: async () => Number(await answered(head(), HEAD_MS)),
    spell,
    isSignedByKey,
    checkSignature: (payment) => answered(judgeSignature(rpc, payment), HEAD_MS),
    ended: (payment, since) =>
      answered(
        ended(rpc, payment, since, async () => ({
          head: await rpc.getBlockNumber(),
          now: clock?.() ?? 0,
        })),
        OUTCOME_MS,
      ),
    balance: ({ requirements, authorization }) =>
      answered(
        rpc.readContract({
          address: requirements.asset as Hex,
          abi: tokenAbi,
          functionName: 'balanceOf',
          // In lower case there is no checksum, which viem would refuse if it is wrong.
          args: [authorization.from.toLowerCase() as Hex],
        }),
        HEAD_MS,
      ),
    // The last attempt to confirm gets as much time as any other query.
    confirm: (payment, transaction) =>
      answered(confirm(rpc, payment, transaction as Hex, confirmMs), confirmMs + HEAD_MS),
    outcome: (payment, fromBlock, ours = []) =>
      answered(
        outcome(rpc, { payment, from: BigInt(fromBlock), ours, latest: latest() }),
        OUTCOME_MS,
      ),
  };
}

interface Question {
  readonly payment: SignedPayment;
  readonly from: bigint;
  /** Our transactions for this authorization. */
  readonly ours: readonly string[];
  /** The latest time that a block can have, in seconds since 1970. */
  readonly latest: number;
}

async function outcome(rpc: Rpc, question: Question): Promise<ChainOutcome> {
  const { payment, from, ours, latest } = question;
  // The time and the state come from one block: with two blocks, a payment mined in between would look dead.
  // The block is named by its hash, because a node that lags does not have that block, whereas for a number
  // it might answer with whatever block it has.
  const block = await rpc.getBlock();
  const used = await isUsed(rpc, payment, { blockHash: block.hash, requireCanonical: true });
  const isAhead = Number(block.timestamp) > latest;
  const isPast = block.timestamp >= BigInt(payment.authorization.validBefore);
  if (isPast && isAhead && !used) throw new ContradictionError();
  const expired = isPast && !isAhead;
  const known = { used, expired, time: block.timestamp };
  const end = used || expired ? await findEnd(rpc, payment, from, block.number, known) : UNREAD;
  const state = provenBy({ used, expired, log: end.log, receipt: end.receipt });
  if (state === undefined) throw new ContradictionError();
  // Our own transactions transfer to us, and never cancel.
  if (state === 'dead' || state === 'cancelled' || state === 'spent')
    for (const hash of ours)
      if (hash === end.mined?.transactionHash || (await showsTransfer(rpc, payment, hash as Hex)))
        throw new ContradictionError();
  if (state !== 'settled') return { state };
  if (!end.mined) throw new ContradictionError();
  return {
    state,
    receipt: toReceipt(payment, end.mined.transactionHash),
    block: Number(end.mined.blockNumber),
  };
}

/** Returns the block of a transaction that is said to have paid, if its receipt shows it. */
async function confirm(
  rpc: Rpc,
  payment: SignedPayment,
  hash: Hex,
  withinMs: number,
): Promise<number | undefined> {
  const until = performance.now() + withinMs;
  for (;;) {
    const [mined, used] = await Promise.all([findReceipt(rpc, hash), isUsed(rpc, payment)]);
    if (mined && !paidBy(mined, payment)) return undefined;
    // The receipt may come from a block that no longer exists, or the node may lag, so the receipt and the
    // state of the nonce both have to show the payment.
    if (mined && used) return Number(mined.blockNumber);
    if (performance.now() > until) return undefined;
    await delay(CONFIRM_PAUSE_MS);
  }
}

const paidBy = ({ status, logs }: TransactionReceipt, payment: SignedPayment) =>
  status === 'success' && movedMoney(logs, payment);

async function showsTransfer(rpc: Rpc, payment: SignedPayment, hash: Hex): Promise<boolean> {
  const mined = await findReceipt(rpc, hash);
  return mined !== undefined && paidBy(mined, payment);
}

const UNREAD: End = { log: 'not read', receipt: 'not read' };

/** Returns how the authorization ended, from its event and the receipt of the event's transaction. */
async function findEnd(
  rpc: Rpc,
  payment: SignedPayment,
  begin: bigint,
  to: bigint,
  { used, expired, time }: Pick<Evidence, 'used' | 'expired'> & { readonly time: bigint },
): Promise<End> {
  const from = firstBlock(begin, to);
  // An unused authorization has no event, so to be sure, every block that its lifetime can reach is searched.
  const last = lastBlock(from);
  const end = await readEnd(rpc, payment, { from, to: used || to < last ? to : last });
  const isOlder =
    end.log === 'none' && used && expired && (await wasUsed(rpc, payment, from, time));
  return isOlder ? { ...end, log: 'older' } : end;
}

/**
 * Returns whether the authorization was already used at that block. A node that is not an archive no longer
 * knows this later. Once every node must have the logs (`LOGS_SECONDS` after its end), the missing log entry
 * itself is proof that it was, so this returns true.
 */
async function wasUsed(rpc: Rpc, payment: SignedPayment, blockNumber: bigint, time: bigint) {
  return isUsed(rpc, payment, { blockNumber }).catch((error: unknown) => {
    if (time < BigInt(payment.authorization.validBefore) + LOGS_SECONDS) throw error;
    return true;
  });
}
