/**
 * Requirements that a node of the chain must meet before we sell a report: buyers who sign must be able to
 * rely on it for as long as the authorization lives. `/readyz`, the log and the doctor share this table of
 * words.
 */

/**
 * Number of blocks that one question about an authorization may span: its lifetime of 65 minutes at 2 s per
 * block, and as much again in reserve.
 */
export const QUESTION_BLOCKS = 3_600;

/** Maximum number of log queries for one question. */
export const MOST_QUERIES = 20;

/** Number of blocks that a node has to allow per log query. */
export const LEAST_RANGE = QUESTION_BLOCKS / MOST_QUERIES;

/** Maximum age of the newest block, and the longest time without a newer one, in seconds. */
const MOST_HEAD_AGE = 60;
const MOST_STANDSTILL = 30;

/** Largest difference between the newest blocks of two nodes: a minute of blocks. */
const MOST_APART = 30;

/** The nodes, by the settings that name them. */
export const NODE_SETTINGS = ['X402_RPC_URL', 'X402_SECOND_RPC_URL'] as const;
export type NodeSetting = (typeof NODE_SETTINGS)[number];

/** Facts that one node shows about itself. */
export interface NodeLook {
  /** CAIP-2. */
  readonly network: string;
  /** Number of the newest block. */
  readonly head: number;
  /** When that block was made, in seconds since 1970. */
  readonly time: number;
  /** Number of blocks that it allows per log query. */
  readonly range: number;
  /** True if the node answers for the blocks that a question may span. */
  readonly hasHistory: boolean;
}

/** A need that is not met. */
export interface NodeFault {
  readonly need: 'answer' | 'network' | 'log_range' | 'history' | 'fresh_head' | 'agreement';
  /** For the operator. */
  readonly reason: string;
}

interface Judged {
  /** CAIP-2. */
  readonly network: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** How long no newer block was seen, in seconds. */
  readonly standstill?: number;
}

/** Returns what one node lacks, or `undefined` if it lacks nothing. */
export function findNodeFault(
  setting: NodeSetting,
  look: NodeLook | { readonly outage: string },
  { network, now, standstill = 0 }: Judged,
): NodeFault | undefined {
  if ('outage' in look)
    return { need: 'answer', reason: `The ${setting} node does not answer (${look.outage}).` };
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

/** Checks that two nodes agree. `hashes` are those of one block, as each node has it. */
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
