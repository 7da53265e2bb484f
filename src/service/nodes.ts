import type { ChainNode } from '../adapters/chain/payment-chain.ts';
import {
  findDisagreement,
  findNodeFault,
  NODE_SETTINGS,
  type NodeFault,
  type NodeLook,
} from '../domain/node-needs.ts';
import type { Clock } from '../ports/ambient.ts';

/** Below the newest block that both have: above, a reorganisation may still change what they say. */
const SETTLED_BLOCKS = 5;

type Node = Pick<ChainNode, 'look' | 'hashAt'>;

interface Ports {
  readonly nodes: readonly Node[];
  /** CAIP-2. */
  readonly network: string;
  readonly clock: Clock;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
}

/** What a node shows of itself, or why it does not answer. */
export const lookAt = (node: Node) =>
  node.look().catch((error: unknown) => ({
    // An RPC's error names the kind of failure alone.
    outage: String((error as { readonly code?: unknown }).code ?? 'unknown'),
  }));

/** In what the nodes differ; `undefined`: in nothing. Rejects when one does not answer. */
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

/** Why no payment should be asked for on these nodes, each time anew: the first fault that is found. */
export function watchNodes({ nodes, network, clock, monotonic }: Ports) {
  const newest = new Map<Node, { readonly head: number; readonly since: number }>();

  /** For how long a node has shown no newer block, in seconds. */
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
