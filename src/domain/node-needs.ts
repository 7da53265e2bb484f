/**
 * Checks whether a blockchain node (JSON-RPC) is good enough for selling reports, and whether two nodes
 * agree: buyers who sign must be able to rely on a node for as long as their authorization is valid.
 * `/readyz`, the log and the command `doctor` all use the sentences of this file.
 */

/**
 * Number of blocks that the search for one authorization may span: its lifetime of 65 minutes at 2 s per
 * block, with about as much again in reserve.
 */
export const QUESTION_BLOCKS = 3_600;

/** Maximum number of `eth_getLogs` queries in the search for one authorization. */
export const MOST_QUERIES = 20;

/** Number of blocks that a node has to allow per `eth_getLogs` query. */
export const LEAST_RANGE = QUESTION_BLOCKS / MOST_QUERIES;

/**
 * Maximum age of a node's newest block, and the longest time that a node may show no newer block, in seconds.
 */
const MOST_HEAD_AGE = 60;
const MOST_STANDSTILL = 30;

/** Maximum distance between the newest blocks of two nodes, in blocks: about a minute. */
const MOST_APART = 30;

/** The names of the settings that contain the URLs of the nodes. */
export const NODE_SETTINGS = ['X402_RPC_URL', 'X402_SECOND_RPC_URL'] as const;
export type NodeSetting = (typeof NODE_SETTINGS)[number];

/** Facts that a node shows about itself. */
export interface NodeLook {
  /** The node's chain as a CAIP-2 id, such as `eip155:8453`. */
  readonly network: string;
  /** Number of the node's newest block. */
  readonly head: number;
  /** When the newest block was made, in seconds since 1970. */
  readonly time: number;
  /** Number of blocks that the node allows per `eth_getLogs` query. */
  readonly range: number;
  /** True if the node answers for all `QUESTION_BLOCKS` blocks. */
  readonly hasHistory: boolean;
}

/** A requirement that a node does not meet. */
export interface NodeFault {
  readonly need: 'answer' | 'network' | 'log_range' | 'history' | 'fresh_head' | 'agreement';
  /** A sentence for the operator. */
  readonly reason: string;
}

interface Judged {
  /** The expected chain as a CAIP-2 id. */
  readonly network: string;
  /** The current time in seconds since 1970. */
  readonly now: number;
  /** How long the node has shown no newer block, in seconds. */
  readonly standstill?: number;
}

/** Returns the requirement that one node does not meet, or `undefined` if it meets all of them. */
export function findNodeFault(
  setting: NodeSetting,
  look: NodeLook | { readonly outage: string },
  { network, now, standstill = 0 }: Judged,
): NodeFault | undefined {
  if ('outage' in look)
    return { need: 'answer', reason: `The ${setting} node does not respond (${look.outage}).` };
  if (look.network !== network)
    return {
      need: 'network',
      reason: `The ${setting} node is on ${look.network}, not on X402_NETWORK.`,
    };
  if (look.range < LEAST_RANGE)
    return {
      need: 'log_range',
      reason: `The ${setting} node allows ${look.range} blocks per eth_getLogs; at least ${LEAST_RANGE} are needed.`,
    };
  if (!look.hasHistory)
    return {
      need: 'history',
      reason: `The ${setting} node does not answer for the last ${QUESTION_BLOCKS} blocks.`,
    };
  const age = Math.round(now - look.time);
  if (age > MOST_HEAD_AGE)
    return {
      need: 'fresh_head',
      reason: `The newest block on the ${setting} node is ${age} s old; the limit is ${MOST_HEAD_AGE} s.`,
    };
  if (standstill > MOST_STANDSTILL)
    return {
      need: 'fresh_head',
      reason: `The ${setting} node has shown no new block for ${Math.round(standstill)} s; the limit is ${MOST_STANDSTILL} s.`,
    };
  return undefined;
}

/**
 * Returns how two nodes disagree, or `undefined` if they agree. `hashes` are the hashes of one block, as each
 * node reports it.
 */
export function findDisagreement(
  heads: readonly number[],
  hashes: readonly string[],
): NodeFault | undefined {
  const apart = Math.max(...heads) - Math.min(...heads);
  const between = `the ${NODE_SETTINGS.join(' and ')} nodes`;
  if (apart > MOST_APART)
    return {
      need: 'agreement',
      reason: `The newest blocks of ${between} are ${apart} blocks apart; the limit is ${MOST_APART}.`,
    };
  if (new Set(hashes).size > 1)
    return { need: 'agreement', reason: `A block that was compared differs between ${between}.` };
  return undefined;
}
