import { createPublicClient, createTestClient, http, parseAbiItem } from 'viem';
import { base } from 'viem/chains';
import type { Chain, ChainAccount } from '../../environment/chain.ts';

/** What one report costs, in atomic units. */
const PRICE = 50_000n;

const TRANSFER = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/** Payments for reports that reached the payee: all, or those of one payer. */
export async function transfersOf(
  { rpcUrl, asset, payTo }: Pick<Chain, 'rpcUrl' | 'asset' | 'payTo'>,
  from?: ChainAccount,
) {
  const client = createPublicClient({ chain: base, transport: http(rpcUrl) });
  const logs = await client.getLogs({
    address: asset,
    event: TRANSFER,
    args: { to: payTo, ...(from && { from: from.address }) },
    fromBlock: 0n,
  });
  return logs
    .filter(({ args }) => args.value === PRICE)
    .map(({ transactionHash, blockTimestamp }) => ({
      transaction: transactionHash,
      time: Number(blockTimestamp ?? 0) * 1000,
    }));
}

/** Lets the chain's time go on: it is that of the newest block. */
export async function mineBlock({ rpcUrl }: Pick<Chain, 'rpcUrl'>): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).mine({ blocks: 1 });
}
