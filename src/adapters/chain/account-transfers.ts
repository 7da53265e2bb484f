import type { Hex } from 'viem';
import { openRpc, type Rpc, type RpcOptions } from './rpc.ts';
import { addressTopic, tokenAbi, topics } from './token.ts';

/** Public RPCs refuse wider ranges. */
const BLOCKS_A_QUERY = 1_000;

/** One movement of the asset, as its contract wrote it. */
export interface Transfer {
  readonly transaction: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly amount: bigint;
}

/** One account of one asset, as the chain has it: what books are held against. */
export function accountTransfers(options: RpcOptions, asset: string, account: string) {
  const rpc = openRpc(options);
  const address = asset as Hex;
  const mine = addressTopic(account);
  return {
    head: async () => Number((await rpc.getBlock()).number),

    /** Atomic units, at the end of a block. An old one needs an archive node. */
    balance: (block: number) =>
      rpc.readContract({
        address,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [account as Hex],
        blockNumber: BigInt(block),
      }),

    /** Everything that came in or went out, from one block to another, both included. */
    async between(from: number, to: number): Promise<readonly Transfer[]> {
      const found: Transfer[] = [];
      for (let first = from; first <= to; first += BLOCKS_A_QUERY) {
        const last = Math.min(to, first + BLOCKS_A_QUERY - 1);
        const [received, sent] = await Promise.all([
          readTransfers(rpc, address, [null, mine], first, last),
          readTransfers(rpc, address, [mine], first, last),
        ]);
        found.push(...received, ...sent.filter(({ to: payee }) => payee !== account.toLowerCase()));
      }
      return found;
    },
  };
}

async function readTransfers(
  rpc: Rpc,
  address: Hex,
  parties: readonly (Hex | null)[],
  from: number,
  to: number,
): Promise<readonly Transfer[]> {
  const logs = await rpc.request({
    method: 'eth_getLogs',
    params: [
      {
        address,
        topics: [topics.transfer, ...parties],
        fromBlock: `0x${from.toString(16)}`,
        toBlock: `0x${to.toString(16)}`,
      },
    ],
  });
  return logs.map((log) => ({
    transaction: log.transactionHash ?? '',
    block: Number(log.blockNumber),
    from: partyOf(log.topics[1]),
    to: partyOf(log.topics[2]),
    amount: BigInt(log.data),
  }));
}

/** In lower case. */
const partyOf = (topic = '') => `0x${topic.slice(-40).toLowerCase()}`;
