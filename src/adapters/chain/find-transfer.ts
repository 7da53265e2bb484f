/**
 * Finds on the chain the transfer that an authorization made, or all such transfers in one transaction, even
 * if the event log says little about them.
 */

import { getAddress, type Hex, isAddressEqual, type TransactionReceipt } from 'viem';
import { findLog } from './authorization-end.ts';
import { answered, findReceipt, openRpc, type RpcOptions } from './rpc.ts';
import { type AuthorizationKey, topics, transferOf } from './token.ts';

/** A transfer that an authorization made. */
export interface FoundTransfer {
  readonly from: string;
  readonly to: string;
  /** The amount in atomic units of the asset. */
  readonly value: string;
  readonly transaction: string;
  readonly block: number;
  /** Time of the transfer's block, in seconds since 1970. */
  readonly time: number;
}

/** Total time limit of a search in milliseconds, however many queries it takes. */
const SEARCH_MS = 30_000;

/** Searches for transfers that the log knows little about. Every rejection is an `RpcError`. */
export function transferFinder(options: RpcOptions) {
  const rpc = openRpc(options);

  async function read(
    mined: TransactionReceipt,
    name: AuthorizationKey,
  ): Promise<FoundTransfer | undefined> {
    const moved = mined.status === 'success' ? transferOf(mined.logs, name) : undefined;
    if (!moved) return undefined;
    const { timestamp } = await rpc.getBlock({ blockNumber: mined.blockNumber });
    return {
      from: getAddress(name.from),
      to: moved.to,
      value: String(moved.value),
      transaction: mined.transactionHash,
      block: Number(mined.blockNumber),
      time: Number(timestamp),
    };
  }

  async function find(name: AuthorizationKey, fromBlock: number) {
    const head = await rpc.getBlockNumber();
    const log = await findLog(rpc, name, { from: BigInt(fromBlock), to: head });
    if (!log?.transactionHash) return undefined;
    return read(await rpc.getTransactionReceipt({ hash: log.transactionHash as Hex }), name);
  }

  async function findIn(transaction: string, asset: string) {
    const mined = await findReceipt(rpc, transaction as Hex);
    const found: (FoundTransfer & { readonly nonce: string })[] = [];
    for (const {
      address,
      topics: [topic, payer = '', nonce = ''],
    } of mined?.logs ?? []) {
      if (topic !== topics.used || !isAddressEqual(address, asset as Hex)) continue;
      const name = { asset, from: `0x${payer.slice(-40)}`, nonce };
      const transfer = mined && (await read(mined, name));
      if (transfer) found.push({ ...transfer, nonce });
    }
    return found;
  }

  return {
    /**
     * Returns the transfer that an authorization made, or `undefined` if it has moved nothing since
     * `fromBlock`. The signature and the terms of the payment are not needed.
     */
    find: (name: AuthorizationKey, fromBlock: number) => answered(find(name, fromBlock), SEARCH_MS),
    /** Returns the transfers that authorizations made in one transaction. */
    findIn: (transaction: string, asset: string) => answered(findIn(transaction, asset), SEARCH_MS),
  };
}
