/**
 * What we need from a node of the chain to sell a report: whoever signs must be able to rely on the node for as
 * long as the authorization lives. One table of words, for `/readyz`, the log and the doctor.
 */

/** Blocks that one question about an authorization may span: its life of 65 minutes at 2 s, and as much to spare. */
export const QUESTION_BLOCKS = 3_600;

/** Most queries of logs for one question. */
export const MOST_QUERIES = 20;

/** Blocks that a node has to grant for one query of logs. */
export const LEAST_RANGE = QUESTION_BLOCKS / MOST_QUERIES;

/** The newest block is at most so old, and at most so long the newest one seen, in seconds. */
const MOST_HEAD_AGE = 60;
const MOST_STANDSTILL = 30;

/** How far apart the newest blocks of two nodes may be: a minute of blocks. */
const MOST_APART = 30;

/** The nodes, by the settings that name them. */
export const NODE_SETTINGS = ['X402_RPC_URL', 'X402_SECOND_RPC_URL'] as const;
export type NodeSetting = (typeof NODE_SETTINGS)[number];

/** What one node shows of itself. */
export interface NodeLook {
  /** CAIP-2. */
  readonly network: string;
  /** Of the newest block. */
  readonly head: number;
  /** When that was made, in seconds since 1970. */
  readonly time: number;
  /** Blocks that it grants for one query of logs. */
  readonly range: number;
  /** Whether it answers for the blocks that a question may span. */
  readonly hasHistory: boolean;
}

/** Something that is missing. */
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
  /** For so long no newer block was seen, in seconds. */
  readonly standstill?: number;
}

/** What is missing of one node; `undefined`: nothing. */
export function findNodeFault(
  setting: NodeSetting,
  look: NodeLook | { readonly outage: string },
  { network, now, standstill = 0 }: Judged,
): NodeFault | undefined {
  if ('outage' in look)
    return { need: 'answer', reason: `The node of ${setting} does not answer (${look.outage}).` };
  if (look.network !== network)
    return {
      need: 'network',
      reason: `The node of ${setting} is of ${look.network}, not of X402_NETWORK.`,
    };
  if (look.range < LEAST_RANGE)
    return {
      need: 'log_range',
      reason: `The node of ${setting} grants ${look.range} blocks for one eth_getLogs; at least ${LEAST_RANGE} are needed.`,
    };
  if (!look.hasHistory)
    return {
      need: 'history',
      reason: `The node of ${setting} does not answer for the last ${QUESTION_BLOCKS} blocks.`,
    };
  const age = Math.round(now - look.time);
  if (age > MOST_HEAD_AGE)
    return {
      need: 'fresh_head',
      reason: `The newest block of the node of ${setting} is ${age} s old; at most ${MOST_HEAD_AGE} s are allowed.`,
    };
  if (standstill > MOST_STANDSTILL)
    return {
      need: 'fresh_head',
      reason: `The node of ${setting} has shown no new block for ${Math.round(standstill)} s; at most ${MOST_STANDSTILL} s are allowed.`,
    };
  return undefined;
}

/** Two nodes must be of one mind. `hashes`: of one block, as each of them has it. */
export function findDisagreement(
  heads: readonly number[],
  hashes: readonly string[],
): NodeFault | undefined {
  const apart = Math.max(...heads) - Math.min(...heads);
  const between = `the nodes of ${NODE_SETTINGS.join(' and ')}`;
  if (apart > MOST_APART)
    return {
      need: 'agreement',
      reason: `The newest blocks of ${between} are ${apart} apart; at most ${MOST_APART} are allowed.`,
    };
  if (new Set(hashes).size > 1)
    return { need: 'agreement', reason: `One block is not the same for ${between}.` };
  return undefined;
}
