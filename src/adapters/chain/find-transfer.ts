import { getAddress, type Hex } from 'viem';
import { type AuthorizationName, findLog } from './payment-chain.ts';
import { answered, openRpc, type RpcOptions } from './rpc.ts';
import { transferOf } from './token.ts';

export type { AuthorizationName } from './payment-chain.ts';

/** A transfer that an authorization has made. */
export interface FoundTransfer {
  readonly from: string;
  readonly to: string;
  /** Atomic units of the asset. */
  readonly value: string;
  readonly transaction: string;
  readonly block: number;
  /** Of its block, in seconds since 1970. */
  readonly time: number;
}

/** However many queries it takes, in milliseconds. */
const SEARCH_MS = 30_000;

/**
 * Looks for what became of an authorization of which nothing but its name is left; `undefined`:
 * it has moved nothing. Every rejection is an `RpcError`.
 */
export function transferFinder(options: RpcOptions) {
  const rpc = openRpc(options);

  async function find(
    name: AuthorizationName,
    fromBlock: number,
  ): Promise<FoundTransfer | undefined> {
    const head = await rpc.getBlockNumber();
    const log = await findLog(rpc, name, BigInt(fromBlock), head);
    if (!log?.transactionHash) return undefined;
    const mined = await rpc.getTransactionReceipt({ hash: log.transactionHash as Hex });
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

  return (name: AuthorizationName, fromBlock: number) => answered(find(name, fromBlock), SEARCH_MS);
}
