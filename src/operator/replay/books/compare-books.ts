/**
 * Compares the payments in the log with the transfers of an account, in both directions, and checks whether
 * their sums agree.
 */

import type { Transfer } from '../../../adapters/chain/account-transfers.ts';
import type { ReplayedSettlement } from '../payments.ts';

/**
 * A difference between the log and the chain. `orphan`: money arrived that is not a payment in the log;
 * `missing`: the chain does not have a payment that is in the log; `late`: paid after the report was deleted,
 * and not sent back yet.
 */
export interface Mismatch {
  readonly mismatch: 'orphan' | 'missing' | 'late';
  /**
   * A payment in the log. For an orphan, this is a report that the same payer has not paid for, if there is
   * one.
   */
  readonly payment_id: string | null;
  readonly transaction: string | null;
  readonly block: number | null;
  readonly payer: string;
  /** The amount in atomic units. */
  readonly amount: string;
}

/** An account of one asset over a range of blocks. */
export interface BookedAccount {
  readonly network: string;
  readonly asset: string;
  readonly payee: string;
  readonly from_block: number;
  readonly to_block: number;
}

/** The sums over the range, in atomic units. */
export interface Balance extends BookedAccount {
  readonly logged: string;
  readonly orphaned: string;
  readonly missing: string;
  readonly received: string;
  readonly sent: string;
  /** Null if the node does not keep balances that old. */
  readonly balance_change: string | null;
  /**
   * True if the books balance. The logged sum, minus the missing payments, plus the orphans, must equal the
   * sum received. The sum received, minus the sum sent, must equal the change of the balance, if that is
   * known.
   */
  readonly closes: boolean;
}

export interface Reconciled {
  readonly mismatches: readonly Mismatch[];
  readonly balance: Balance;
}

/** Compares the payments in the log with the transfers of an account, in both directions. */
export function compareBooks(
  account: BookedAccount,
  settlements: readonly ReplayedSettlement[],
  transfers: readonly Transfer[],
  balanceChange: bigint | null,
): Reconciled {
  const payee = account.payee.toLowerCase();
  const unmatched = new Set(transfers.filter(({ to }) => to === payee));
  const sent = transfers.filter(({ from }) => from === payee);
  const unreturned = new Set(sent);
  const mismatches: Mismatch[] = [];
  let [logged, missing] = [0n, 0n];

  for (const settlement of settlements.filter((one) => isIn(account, one))) {
    const { entry } = settlement;
    const { from: payer, value } = settlement.payment.authorization;
    const amount = BigInt(value);
    logged += amount;
    const named = nameOf(settlement);
    const found = take(
      unmatched,
      (one) =>
        one.transaction.toLowerCase() === entry.transaction?.toLowerCase() &&
        one.from === payer.toLowerCase() &&
        one.amount === amount,
    );
    if (!found) {
      missing += amount;
      mismatches.push({ mismatch: 'missing', ...named });
    } else if (entry.late && !take(unreturned, isReturnOf(found)))
      mismatches.push({ mismatch: 'late', ...named });
  }

  const orphans = [...unmatched].filter((one) => !take(unreturned, isReturnOf(one)));
  for (const { transaction, block, from: payer, amount } of orphans)
    mismatches.push({
      mismatch: 'orphan',
      payment_id: unpaidBy(settlements, payer),
      ...{ transaction, block, payer, amount: `${amount}` },
    });

  const received = sum([...transfers].filter(({ to }) => to === payee));
  const orphaned = sum([...unmatched]);
  const paidOut = sum(sent);
  const closes =
    logged - missing + orphaned === received &&
    (balanceChange === null || balanceChange === received - paidOut);
  const balance: Balance = {
    ...account,
    ...{ logged: `${logged}`, orphaned: `${orphaned}`, missing: `${missing}` },
    ...{ received: `${received}`, sent: `${paidOut}` },
    balance_change: balanceChange === null ? null : `${balanceChange}`,
    closes,
  };
  return { mismatches, balance };
}

/** Returns whether a payment went to this account and is within the range, as far as the log says. */
function isIn(
  { network, asset, payee, from_block, to_block }: BookedAccount,
  { entry, payment: { requirements } }: ReplayedSettlement,
): boolean {
  const block = entry.block ?? from_block;
  return (
    entry.state === 'settled' &&
    entry.network === network &&
    requirements.asset.toLowerCase() === asset.toLowerCase() &&
    requirements.payTo.toLowerCase() === payee.toLowerCase() &&
    block >= from_block &&
    block <= to_block
  );
}

const nameOf = ({ entry, payment: { authorization } }: ReplayedSettlement) => ({
  payment_id: entry.payment_id,
  transaction: entry.transaction,
  block: entry.block,
  payer: authorization.from.toLowerCase(),
  amount: authorization.value,
});

/** Returns whether a transfer sent the money back to its sender later. */
const isReturnOf =
  ({ from, amount, block }: Transfer) =>
  (one: Transfer) =>
    one.to === from && one.amount === amount && one.block >= block;

/** Returns the report that this payer began to pay for but, according to the log, has not paid. */
function unpaidBy(settlements: readonly ReplayedSettlement[], payer: string): string | null {
  const begun = settlements.findLast(
    ({ entry, payment }) =>
      entry.state !== 'settled' && payment.authorization.from.toLowerCase() === payer,
  );
  return begun?.entry.payment_id ?? null;
}

/** Removes the first element that matches, and returns it. */
function take<T>(all: Set<T>, fits: (one: T) => boolean): T | undefined {
  for (const one of all)
    if (fits(one)) {
      all.delete(one);
      return one;
    }
  return undefined;
}

const sum = (transfers: readonly Transfer[]) =>
  transfers.reduce((total, { amount }) => total + amount, 0n);
