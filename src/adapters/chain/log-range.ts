/**
 * Finds out how many blocks a node allows per log query, and reads a contract's log entries in queries within
 * that limit. Also recognizes that a node has refused a query.
 */

import {
  type Hex,
  HttpRequestError,
  type LogTopic,
  type PublicClient,
  type RpcLog,
  toHex,
} from 'viem';
import { LEAST_RANGE } from '../../domain/node-needs.ts';
import { smaller } from './bigint.ts';
import { isRateLimit, nodeErrorOf } from './transport.ts';

/** Maximum number of blocks per log query. Public nodes refuse ranges of more than 1,000. */
export const MOST_BLOCKS = 900n;

/** An address and a topic that match nothing, so that the probing queries have no results. */
const NOBODY: Hex = `0x${'0'.repeat(40)}`;
const NOTHING: Hex = `0x${'0'.repeat(63)}1`;

/** Number of blocks by which one of a provider's machines may lag behind another: a minute. */
const LAG = 30n;

type Client = Pick<PublicClient, 'getBlockNumber' | 'request'>;

/**
 * The error for a node that allows so few blocks per log query that a search would need too many queries.
 */
class LogSpanError extends Error {
  override readonly name = 'log range too small';
}

/** The error for a response to a log query that is no list. */
class NoLogsError extends Error {
  override readonly name = 'no list of logs';
}

/** HTTP statuses that refuse the query itself. Free plans use them for ranges that they do not allow. */
const REFUSALS = [400, 413, 422];

/**
 * Returns whether the node responded and refused this query. Otherwise, its answer is unknown: a node that
 * has had too many requests would refuse a smaller query too.
 */
export function isRefusal(error: unknown): boolean {
  const refusal = nodeErrorOf(error);
  return refusal instanceof HttpRequestError
    ? REFUSALS.includes(refusal.status ?? 0)
    : refusal !== undefined && !isRateLimit(error);
}

/** Finds out how many blocks a node allows per log query, and keeps queries within that limit. */
export function openLogRange(client: Client) {
  let known: Promise<bigint> | undefined;

  async function getLogs(address: Hex, topics: LogTopic[], from: bigint, to: bigint) {
    const logs = await client.request({
      method: 'eth_getLogs',
      params: [{ address, topics, fromBlock: toHex(from), toBlock: toHex(to) }],
    });
    // Some nodes respond with null for blocks that they do not have yet.
    if (!Array.isArray(logs)) throw new NoLogsError();
    return logs;
  }

  /**
   * Returns whether the node allows a query of this many blocks. The query ends a few blocks before `newest`,
   * because some of the machines behind one URL lag.
   */
  async function grants(blocks: bigint, newest: bigint): Promise<boolean> {
    const head = newest > LAG ? newest - LAG : newest;
    const from = head < blocks ? 0n : head - blocks + 1n;
    try {
      await getLogs(NOBODY, [NOTHING], from, head);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  async function measure(): Promise<bigint> {
    const head = await client.getBlockNumber();
    if (await grants(MOST_BLOCKS, head)) return MOST_BLOCKS;
    let [granted, refused] = [0n, MOST_BLOCKS];
    while (refused - granted > 1n) {
      const middle = (granted + refused) / 2n;
      if (await grants(middle, head)) granted = middle;
      else refused = middle;
    }
    return granted;
  }

  /** Returns how many blocks a query may span. This is measured when it is first needed. */
  function blocks(): Promise<bigint> {
    const measured = known ?? measure();
    known = measured;
    measured.catch(() => {
      if (known === measured) known = undefined;
    });
    return measured;
  }

  function measureAgain(): Promise<bigint> {
    known = undefined;
    return blocks();
  }

  return {
    blocks,
    grants,

    /**
     * Returns the range that is allowed now, up to a block. This takes one query if the range is unchanged.
     */
    async check(head: bigint): Promise<bigint> {
      const isFirst = known === undefined;
      const before = await blocks();
      if (isFirst) return before;
      const isEnough = before >= BigInt(LEAST_RANGE);
      const asked = isEnough ? before : BigInt(LEAST_RANGE);
      return (await grants(asked, head)) === isEnough ? before : measureAgain();
    },

    /**
     * Reads what a contract has logged under these topics, from one block to another, both included.
     *
     * @throws LogSpanError if that takes more queries than `mostQueries`
     */
    async *read(
      address: Hex,
      topics: LogTopic[],
      from: bigint,
      to: bigint,
      mostQueries = Number.POSITIVE_INFINITY,
    ): AsyncGenerator<RpcLog> {
      let first = from;
      for (let query = 0; first <= to; query += 1) {
        if (query === mostQueries) throw new LogSpanError();
        const range = await blocks();
        if (range === 0n) throw new LogSpanError();
        const last = smaller(first + range - 1n, to);
        const logs = await getLogs(address, topics, first, last).catch(async (error: unknown) => {
          // The node allowed more before, so the query is repeated in pieces.
          if (isRefusal(error) && (await measureAgain()) < last - first + 1n) return undefined;
          throw error;
        });
        if (!logs) continue;
        yield* logs;
        first = last + 1n;
      }
    },
  };
}
