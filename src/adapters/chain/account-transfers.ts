/**
 * Reads the transfers to and from an account, and its balance at a block, to compare the books with the
 * chain.
 */

import type { Hex, RpcLog } from 'viem';
import { MOST_QUERIES } from '../../domain/node-needs.ts';
import { named, openRpc, type RpcOptions } from './rpc.ts';
import { addressTopic, tokenAbi, topics } from './token.ts';

/** A transfer of the asset, as its contract logged it. */
export interface Transfer {
  readonly transaction: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  /** The amount in atomic units of the asset. */
  readonly amount: bigint;
}

/** Incoming transfers, and the start of the period in seconds since 1970. */
export interface Received {
  readonly since: number;
  readonly transfers: readonly Transfer[];
}

/**
 * Reads one account of one asset from the chain, to compare the books with it. Every rejection is an
 * `RpcError`.
 */
export function accountTransfers(options: RpcOptions, asset: string, account: string) {
  const rpc = openRpc(options);
  const address = asset as Hex;
  const mine = addressTopic(account);

  async function read(from: number, to: number, ...parties: (Hex | null)[]) {
    const wanted = [topics.transfer, ...parties];
    const found: Transfer[] = [];
    for await (const log of rpc.logRange.read(address, wanted, BigInt(from), BigInt(to)))
      found.push(toTransfer(log));
    return found;
  }

  return {
    head: async () => Number((await named(rpc.getBlock())).number),

    /**
     * Returns the balance in atomic units at the end of a block. For an old block, this needs an archive
     * node.
     */
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

    /** Returns every incoming and outgoing transfer from one block to another, both included. */
    async between(from: number, to: number): Promise<readonly Transfer[]> {
      const [received, sent] = await named(
        Promise.all([read(from, to, null, mine), read(from, to, mine)]),
      );
      return [...received, ...sent.filter(({ to: payee }) => payee !== account.toLowerCase())];
    },

    /** Returns recent incoming transfers, as far back as 20 log queries reach. */
    async receivedLately(): Promise<Received> {
      const [head, range] = await named(Promise.all([rpc.getBlockNumber(), rpc.logRange.blocks()]));
      const span = range * BigInt(MOST_QUERIES);
      const first = head < span ? 0n : head - span + 1n;
      const { timestamp } = await named(rpc.getBlock({ blockNumber: first }));
      const transfers = await named(read(Number(first), Number(head), null, mine));
      return { since: Number(timestamp), transfers };
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

/** Returns the address in a topic, in lower case. */
const partyOf = (topic = '') => `0x${topic.slice(-40).toLowerCase()}`;
