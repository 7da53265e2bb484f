/** Compares the payments in the log with the transfers on the chain, and prepares refunds for mismatches. */

import { accountTransfers } from '../../../adapters/chain/account-transfers.ts';
import { encodeTransfer } from '../../../adapters/chain/token.ts';
import type { ReplayCall } from '../call.ts';
import type { ReplayedSettlement } from '../payments.ts';
import {
  type BookedAccount,
  compareBooks,
  type Mismatch,
  type Reconciled,
} from './compare-books.ts';

/**
 * The account that receives the money for reports, according to the settings. `payTo` is null if it is not
 * set.
 */
type SellingSettings = Readonly<Record<'rpcUrl' | 'network' | 'asset', string>> & {
  readonly payTo: string | null;
};

type Call = Pick<ReplayCall, 'fromBlock' | 'toBlock' | 'refunds' | 'print' | 'hint'>;

/**
 * Runs `replay payments` with `--reconcile` or `--refunds`: compares the log with the chain over a range of
 * blocks, for each account that was ever paid. Returns the exit code: 1 on any mismatch.
 *
 * @param readLog called after the chain was read, so that a payment that is settled in the meantime is not an
 * orphan
 */
export async function reconcileBooks(
  selling: SellingSettings,
  readLog: () => Promise<readonly ReplayedSettlement[]>,
  { fromBlock, toBlock, refunds, print, hint }: Call,
): Promise<number> {
  const early = await readLog();
  let mismatched = false;
  for (const { network, asset, payee } of accountsOf(selling, early)) {
    const chain = accountTransfers({ rpcUrl: selling.rpcUrl, network }, asset, payee);
    const first = Math.min(...early.map((one) => one.fromBlock), await chain.head());
    const account: BookedAccount = {
      ...{ network, asset, payee },
      from_block: fromBlock ?? Math.max(0, first),
      to_block: toBlock ?? (await chain.head()),
    };
    const transfers = await chain.between(account.from_block, account.to_block);
    const change = await balanceChange(chain, account);
    if (change === null)
      hint('the node does not keep balances that old, so the sums were not compared with them');
    const found = compareBooks(account, await readLog(), transfers, change);
    mismatched ||= found.mismatches.length > 0 || !found.balance.closes;
    if (refunds) print(refundBatch(account, found.mismatches));
    else show(found, print);
  }
  return mismatched ? 1 : 0;
}

function show({ mismatches, balance }: Reconciled, print: Call['print']): void {
  for (const one of mismatches) print(one);
  print(balance);
}

/** Returns the account that the settings name, and those that the log names because earlier settings did. */
function accountsOf(
  { network, asset, payTo }: SellingSettings,
  settlements: readonly ReplayedSettlement[],
): readonly Pick<BookedAccount, 'network' | 'asset' | 'payee'>[] {
  const all = settlements.map(({ payment: { requirements } }) => ({
    network: requirements.network,
    asset: requirements.asset,
    payee: requirements.payTo,
  }));
  if (payTo !== null) all.push({ network, asset, payee: payTo });
  const byName = new Map(all.map((one) => [JSON.stringify(one).toLowerCase(), one]));
  // A node knows only one chain.
  return [...byName.values()].filter((one) => one.network === network);
}

/** Returns the change of the account's balance over the range, or `null` if the node does not know it. */
async function balanceChange(
  chain: ReturnType<typeof accountTransfers>,
  { from_block, to_block }: BookedAccount,
): Promise<bigint | null> {
  try {
    const before = from_block === 0 ? 0n : await chain.balance(from_block - 1);
    return (await chain.balance(to_block)) - before;
  } catch {
    return null;
  }
}

/**
 * Returns one refund for each mismatch in which money arrived, in the format that Safe's Transaction Builder
 * imports and that any wallet can follow. Nothing is signed or sent here.
 */
export function refundBatch(
  { network, asset, payee }: BookedAccount,
  mismatches: readonly Mismatch[],
) {
  const owed = mismatches.filter(({ mismatch }) => mismatch !== 'missing');
  return {
    version: '1.0',
    chainId: network.slice('eip155:'.length),
    meta: {
      name: 'Refunds',
      description: `${owed.length} transfer(s) of ${asset} back to their payers`,
      createdFromSafeAddress: payee,
    },
    transactions: owed.map(({ payer, amount }) => ({
      to: asset,
      value: '0',
      data: encodeTransfer(payer, BigInt(amount)),
    })),
  };
}
