/**
 * Reads from a payment's signature how the payer's contract wallet is deployed (ERC-6492), and builds the one
 * call that deploys the wallet and settles its first payment.
 */

import { encodeFunctionData, type Hex, parseAbi, parseErc6492Signature } from 'viem';
import { isErc6492Signature } from 'viem/utils';
import type { SignedPayment } from '../../ports/payment.ts';

/** Multicall3, at the same address on every chain (multicall3.com). */
const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

const multicallAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable',
]);

export interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** A wallet that its factory will deploy with its first payment (ERC-6492). */
export interface Deployment extends Call {
  /** The signature that the wallet itself checks. */
  readonly signature: Hex;
}

/** Returns the deployment that a payment's signature describes, or `undefined` if it names no factory. */
export function deploymentOf({ signature }: SignedPayment): Deployment | undefined {
  if (!isErc6492Signature(signature)) return undefined;
  try {
    const { address: to, data, signature: inner } = parseErc6492Signature(signature);
    return to && data ? { to, data, signature: inner } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Combines both calls in one transaction: with two transactions, the wallet could be deployed at our expense
 * and then not pay. If someone else has deployed the wallet in the meantime, its factory may refuse, but the
 * payment still goes through.
 */
export const deployAnd = (deployment: Call, call: Call): Call => ({
  to: MULTICALL,
  data: encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [
      [
        { target: deployment.to, allowFailure: true, callData: deployment.data },
        { target: call.to, allowFailure: false, callData: call.data },
      ],
    ],
  }),
});
