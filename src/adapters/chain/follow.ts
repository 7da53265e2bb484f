/**
 * Waits, for a limited time, until one of several transactions of ours is in a block or another transaction
 * has taken the newest one's wallet nonce. Meanwhile, it sends the newest one again and fills gaps in the
 * wallet nonces before it.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Hex, TransactionReceipt } from 'viem';
import type { SignedTx } from '../../ports/payment.ts';
import { findReceipt, type Rpc } from './rpc.ts';
import { broadcast } from './wallet.ts';

/**
 * Shortest and longest pause between two reads, in milliseconds: a chain that mines immediately is noticed
 * immediately, and a chain with 2 s blocks is not queried too often.
 */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** A node may forget a transaction, so it is sent again after this many blocks. */
const AGAIN_BLOCKS = 2;

/**
 * The outcome of the transactions that were signed for one call. `mined`: one succeeded, or the newest one
 * failed; `taken`: another transaction has the newest one's wallet nonce, so the newest will never be mined;
 * `waiting`: still unknown at the end of the wait.
 */
export type Followed = { readonly mined: TransactionReceipt } | 'taken' | 'waiting';

interface Ports {
  readonly rpc: Rpc;
  readonly wallet: { fillGap(tx: SignedTx): Promise<void> };
  readonly blockMs: number;
}

/**
 * Waits until one of the transactions is in a block, but no longer than until `until`, in `performance.now()`
 * time.
 */
export async function follow(
  { rpc, wallet, blockMs }: Ports,
  signed: readonly SignedTx[],
  until: number,
): Promise<Followed> {
  const newest = signed.at(-1);
  if (!newest) return 'waiting';

  let again = performance.now() + AGAIN_BLOCKS * blockMs;
  let takenSince = Number.POSITIVE_INFINITY;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // A node that does not respond says nothing about the transaction.
    const seen = await look(rpc, signed, newest).catch(() => 'waiting' as const);
    const now = performance.now();
    takenSince = seen === 'taken' ? Math.min(takenSince, now) : Number.POSITIVE_INFINITY;
    // A node may count a transaction before it shows its receipt, and a node that lags shows the receipt some
    // blocks later. The nonce was taken by another transaction only if this lasts for a block.
    if (typeof seen === 'object' || now - takenSince >= blockMs) return seen;
    if (now >= until) return 'waiting';
    if (now >= again) {
      // The wait can continue even if the gap cannot be filled or the transaction cannot be sent again.
      await wallet.fillGap(newest).catch(() => undefined);
      await broadcast(rpc, newest);
      again = performance.now() + AGAIN_BLOCKS * blockMs;
    }
    await delay(Math.max(1, Math.min(pause, until - performance.now())));
  }
}

/**
 * At most one of several transactions with the same wallet nonce is mined, so the receipts of those that the
 * newest one replaces are read only once the wallet's count is past that nonce. Receipts are read again after
 * the count: if one of our transactions had been counted, we would see its receipt.
 */
async function look(rpc: Rpc, signed: readonly SignedTx[], newest: SignedTx): Promise<Followed> {
  const current = signed.filter((tx) => tx === newest || !isSamePlace(tx, newest));
  const seen = await findMined(rpc, current, newest);
  if (seen) return { mined: seen };
  const count = await rpc.getTransactionCount({ address: newest.wallet as Hex });
  if (count <= newest.wallet_nonce) return 'waiting';
  const mined = await findMined(rpc, signed, newest);
  return mined ? { mined } : 'taken';
}

async function findMined(rpc: Rpc, signed: readonly SignedTx[], newest: SignedTx) {
  const receipts = await Promise.all(
    signed.map(async (tx) => ({ tx, mined: await findReceipt(rpc, tx.transaction as Hex) })),
  );
  // If an earlier transaction reverted, that proves nothing about the newest one.
  const found =
    receipts.find((one) => one.mined?.status === 'success') ??
    receipts.find((one) => one.mined && isSamePlace(one.tx, newest));
  return found?.mined;
}

const isSamePlace = (one: SignedTx, other: SignedTx) =>
  one.wallet === other.wallet && one.wallet_nonce === other.wallet_nonce;
