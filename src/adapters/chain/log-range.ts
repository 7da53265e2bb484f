import {
  BaseError,
  type Hex,
  HttpRequestError,
  type LogTopic,
  type PublicClient,
  type RpcLog,
  RpcRequestError,
  toHex,
} from 'viem';
import { LEAST_RANGE } from '../../domain/node-needs.ts';
import { smaller } from './bigint.ts';

/** Public nodes refuse ranges of more than 1,000. */
export const MOST_BLOCKS = 900n;

/** An address and a topic of nothing: what the probes ask for has no results. */
const NOBODY: Hex = `0x${'0'.repeat(40)}`;
const NOTHING: Hex = `0x${'0'.repeat(63)}1`;

/** Blocks by which a machine of a provider may be behind another one. */
const LAG = 5n;

type Client = Pick<PublicClient, 'getBlockNumber' | 'request'>;

/** More queries than one question may take: the node grants too few blocks for each. */
class LogSpanError extends Error {
  override readonly name = 'log range too small';
}

/** HTTP statuses that refuse the query itself: free plans use them for ranges that they do not grant. */
const REFUSALS = [400, 413, 422];

/** Whether the node answered, and does not grant what was asked; otherwise nobody knows. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const found = error.walk(
    (one) => one instanceof RpcRequestError || one instanceof HttpRequestError,
  );
  return found instanceof HttpRequestError
    ? REFUSALS.includes(found.status ?? 0)
    : found instanceof RpcRequestError;
}

/** How many blocks a node grants for one query of logs, and queries that keep to it. */
export function openLogRange(client: Client) {
  let known: Promise<bigint> | undefined;

  const getLogs = (address: Hex, topics: LogTopic[], from: bigint, to: bigint) =>
    client.request({
      method: 'eth_getLogs',
      params: [{ address, topics, fromBlock: toHex(from), toBlock: toHex(to) }],
    });

  /** Whether so many blocks are granted, up to about this one: of several machines behind one URL some lag. */
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

  /** Measured when it is first needed. */
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

    /** The range that is granted now, up to a block: with one query, where it is as it was before. */
    async check(head: bigint): Promise<bigint> {
      const isFirst = known === undefined;
      const before = await blocks();
      if (isFirst) return before;
      const isEnough = before >= BigInt(LEAST_RANGE);
      const asked = isEnough ? before : BigInt(LEAST_RANGE);
      return (await grants(asked, head)) === isEnough ? before : measureAgain();
    },

    /**
     * What a contract has logged under these topics, from one block to another, both included.
     *
     * @throws LogSpanError when that takes more queries than `mostQueries`
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
          // It granted more before: the query is asked again in pieces.
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
