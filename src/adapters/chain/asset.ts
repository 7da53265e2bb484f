import type { Hex } from 'viem';
import { answered, openRpc, type RpcOptions } from './rpc.ts';
import { tokenAbi } from './token.ts';

const ASSET_MS = 10_000;

/** When the newest block was made, in seconds since 1970. */
export const readHead = (options: RpcOptions): Promise<number> =>
  answered(
    openRpc(options)
      .getBlock({ blockTag: 'latest' })
      .then(({ timestamp }) => Number(timestamp)),
    ASSET_MS,
  );

/** What the chain says of itself and of the asset: compared with the settings at start and by doctor. */
export function readAsset(options: RpcOptions, asset: string) {
  const rpc = openRpc(options);
  const read = (functionName: 'name' | 'version') =>
    rpc.readContract({ address: asset as Hex, abi: tokenAbi, functionName });
  const facts = Promise.all([rpc.getChainId(), read('name'), read('version')]);
  return answered(
    facts.then(([chainId, name, version]) => ({ network: `eip155:${chainId}`, name, version })),
    ASSET_MS,
  );
}
