/** Reads from the chain whether people can pay with an asset, and when the newest block was made. */

import { type Hex, parseAbi } from 'viem';
import { answered, isAnswer, openRpc, type RpcOptions } from './rpc.ts';

const ASSET_MS = 10_000;

/** Returns when the newest block was made, in seconds since 1970. */
export const readHeadTime = (options: RpcOptions): Promise<number> =>
  answered(
    openRpc(options)
      .getBlock({ blockTag: 'latest' })
      .then(({ timestamp }) => Number(timestamp)),
    ASSET_MS,
  );

/** Features of USDC beyond EIP-3009, which another token may lack. */
const switchesAbi = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
]);

/** Returns why nobody can pay with the asset now, or `undefined` if payment is possible. */
export async function readAssetFault(
  options: RpcOptions,
  { asset, payTo }: { readonly asset: string; readonly payTo: string },
): Promise<string | undefined> {
  const rpc = openRpc(options);
  const address = asset as Hex;
  const read = (call: Promise<boolean>) =>
    call.catch((error: unknown) => {
      if (isAnswer(error)) return false;
      throw error;
    });
  const asked = Promise.all([
    rpc.getChainId(),
    read(rpc.readContract({ address, abi: switchesAbi, functionName: 'paused' })),
    read(
      rpc.readContract({
        address,
        abi: switchesAbi,
        functionName: 'isBlacklisted',
        args: [payTo as Hex],
      }),
    ),
  ]);
  const [chainId, paused, denied] = await answered(asked, ASSET_MS);
  if (`eip155:${chainId}` !== options.network)
    return `The X402_RPC_URL node is on eip155:${chainId}, not on X402_NETWORK.`;
  if (paused) return 'The asset is paused.';
  return denied ? 'The asset denies payments to X402_PAY_TO.' : undefined;
}
