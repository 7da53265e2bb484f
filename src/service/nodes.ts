/**
 * Compares the RPC nodes of the chain, and finds the faults because of which no payment should be requested.
 */

import type { ChainNode } from '../adapters/chain/payment-chain.ts';
import {
  findDisagreement,
  findNodeFault,
  NODE_SETTINGS,
  type NodeFault,
  type NodeLook,
} from '../domain/node-needs.ts';
import type { Clock } from '../ports/ambient.ts';

/**
 * Number of blocks between the newest block that both nodes have and the block at which they are compared. A
 * reorganization may still change newer blocks.
 */
const SETTLED_BLOCKS = 5;

type Node = Pick<ChainNode, 'look' | 'hashAt'>;

interface Ports {
  readonly nodes: readonly Node[];
  /** The network's CAIP-2 identifier. */
  readonly network: string;
  readonly clock: Clock;
  /** Returns milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

/** Returns what a node shows about itself, or the kind of failure if it does not respond. */
export const lookAt = (node: Node) =>
  node.look().catch((error: unknown) => ({
    // Only the code of an RPC error is kept, which names the kind of failure.
    outage: String((error as { readonly code?: unknown }).code ?? 'unknown'),
  }));

/** Returns how the nodes differ, or `undefined` if they agree. Rejects if one of them does not respond. */
export async function findDifference(
  nodes: readonly Node[],
  looks: readonly NodeLook[],
): Promise<NodeFault | undefined> {
  const heads = looks.map(({ head }) => head);
  const block = Math.max(0, Math.min(...heads) - SETTLED_BLOCKS);
  return (
    findDisagreement(heads, []) ??
    findDisagreement(heads, await Promise.all(nodes.map(({ hashAt }) => hashAt(block))))
  );
}

/**
 * Returns a function that checks the nodes anew at each call. It resolves to the first fault because of which
 * no payment should be requested, or to `undefined` if there is none.
 */
export function watchNodes({ nodes, network, clock, monotonic }: Ports) {
  const newest = new Map<Node, { readonly head: number; readonly since: number }>();

  /** Returns how long a node has shown no newer block, in seconds. */
  function standstillOf(node: Node, { head }: NodeLook): number {
    const last = newest.get(node);
    if (last && head <= last.head) return (monotonic() - last.since) / 1000;
    newest.set(node, { head, since: monotonic() });
    return 0;
  }

  return async (): Promise<NodeFault | undefined> => {
    const looks = await Promise.all(nodes.map(lookAt));
    const now = clock() / 1000;
    for (const [index, node] of nodes.entries()) {
      const look = looks[index] ?? { outage: 'unknown' };
      const standstill = 'head' in look ? standstillOf(node, look) : 0;
      const setting = NODE_SETTINGS[index] ?? NODE_SETTINGS[0];
      const fault = findNodeFault(setting, look, { network, now, standstill });
      if (fault) return fault;
    }
    const seen = looks.filter((look) => 'head' in look);
    return nodes.length > 1 ? findDifference(nodes, seen) : undefined;
  };
}
