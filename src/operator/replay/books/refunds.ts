import { encodeTransfer } from '../../../adapters/chain/token.ts';
import type { BookedAccount, Mismatch } from './compare-books.ts';

/**
 * A transfer back for each mismatch that money came of, in the format that Safe's Transaction Builder
 * imports and that any wallet can follow: nothing is signed or sent here.
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
