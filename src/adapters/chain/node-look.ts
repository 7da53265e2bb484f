/** Examines a node: its chain, its newest block, and how much of the chain's history it can show. */

import { BlockNotFoundError } from 'viem';
import { type NodeLook, QUESTION_BLOCKS } from '../../domain/node-needs.ts';
import { smaller } from './bigint.ts';
import { isRefusal } from './log-range.ts';
import type { Rpc } from './rpc.ts';

/** How often to check properties that change only with the node's plan or version, in milliseconds. */
const SLOW_MS = 600_000;

/** Returns what a node shows about itself. This takes four queries, and two more now and then. */
export function nodeLook(rpc: Rpc): () => Promise<NodeLook> {
  let slow: { readonly at: number; readonly network: string } | undefined;

  return async () => {
    const [number, block] = await Promise.all([rpc.getBlockNumber(), rpc.getBlock()]);
    // Either of the node's two answers may be stale.
    const head = smaller(number, block.number);
    const range = await rpc.logRange.check(head);
    const known = slow && performance.now() - slow.at < SLOW_MS ? slow : undefined;
    const network = known?.network ?? `eip155:${await rpc.getChainId()}`;
    const hasHistory = known !== undefined || (await showsHistory(rpc, head, range));
    const isOurs = network === `eip155:${rpc.chain.id}`;
    if (!known && hasHistory && isOurs) slow = { at: performance.now(), network };
    const time = Number(block.timestamp);
    return { network, head: Number(head), time, range: Number(range), hasHistory };
  };
}

/** Returns whether the node has the first block that a search may span, and allows its logs to be read. */
async function showsHistory(rpc: Rpc, head: bigint, range: bigint): Promise<boolean> {
  if (range === 0n) return false;
  const span = BigInt(QUESTION_BLOCKS);
  const first = head < span ? 0n : head - span;
  try {
    const [, grants] = await Promise.all([
      rpc.getBlock({ blockNumber: first }),
      rpc.logRange.grants(range, smaller(first + range - 1n, head)),
    ]);
    return grants;
  } catch (error) {
    if (error instanceof BlockNotFoundError || isRefusal(error)) return false;
    throw error;
  }
}
