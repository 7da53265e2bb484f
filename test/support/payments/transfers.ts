/** Reads from the chain which payments reached the payee. */

import { parseAbiItem } from 'viem';
import type { Chain, ChainAccount } from '../../environment/chain.ts';
import { adminOf } from './payment-chain.ts';

/** Prices of one report, in atomic units, before and after a change. */
const PRICES = [50_000n, 80_000n];

const TRANSFER = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/** Returns payments for reports that reached the payee: all, or those of one payer. */
export async function transfersOf(
  { rpcUrl, asset, payTo }: Pick<Chain, 'rpcUrl' | 'asset' | 'payTo'>,
  from?: ChainAccount,
) {
  const logs = await adminOf({ rpcUrl }).getLogs({
    address: asset,
    event: TRANSFER,
    args: { to: payTo, ...(from && { from: from.address }) },
    fromBlock: 0n,
  });
  return logs
    .filter(({ args }) => PRICES.some((price) => price === args.value))
    .map(({ transactionHash, blockTimestamp }) => ({
      transaction: transactionHash,
      time: Number(blockTimestamp ?? 0) * 1000,
    }));
}
