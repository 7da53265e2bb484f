import type { Hex, RpcLog } from 'viem';
import { named, openRpc, type RpcOptions, readLogs } from './rpc.ts';
import { addressTopic, tokenAbi, topics } from './token.ts';

/** One movement of the asset, as its contract wrote it. */
export interface Transfer {
  readonly transaction: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  /** Atomic units. */
  readonly amount: bigint;
}

/** One account of one asset, as the chain has it: what books are held against. Every rejection is an `RpcError`. */
export function accountTransfers(options: RpcOptions, asset: string, account: string) {
  const rpc = openRpc(options);
  const address = asset as Hex;
  const mine = addressTopic(account);
  return {
    head: async () => Number((await named(rpc.getBlock())).number),

    /** Atomic units, at the end of a block. An old one needs an archive node. */
    balance: (block: number) =>
      named(
        rpc.readContract({
          address,
          abi: tokenAbi,
          functionName: 'balanceOf',
          args: [account as Hex],
          blockNumber: BigInt(block),
        }),
      ),

    /** Everything that came in or went out, from one block to another, both included. */
    async between(from: number, to: number): Promise<readonly Transfer[]> {
      const read = async (...parties: (Hex | null)[]) => {
        const wanted = [topics.transfer, ...parties];
        const found: Transfer[] = [];
        for await (const log of readLogs(rpc, address, wanted, BigInt(from), BigInt(to)))
          found.push(toTransfer(log));
        return found;
      };
      const [received, sent] = await named(Promise.all([read(null, mine), read(mine)]));
      return [...received, ...sent.filter(({ to: payee }) => payee !== account.toLowerCase())];
    },
  };
}

const toTransfer = (log: RpcLog): Transfer => ({
  transaction: log.transactionHash ?? '',
  block: Number(log.blockNumber),
  from: partyOf(log.topics[1]),
  to: partyOf(log.topics[2]),
  amount: BigInt(log.data),
});

/** In lower case. */
const partyOf = (topic = '') => `0x${topic.slice(-40).toLowerCase()}`;
