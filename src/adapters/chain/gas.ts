/**
 * Builds the call that settles a payment, including the deployment of the payer's wallet if needed, and
 * estimates and limits its gas.
 */

import { getAddress, numberToHex } from 'viem';
import type { SignedPayment } from '../../ports/payment.ts';
import { type Call, deployAnd, deploymentOf } from './deployment.ts';
import type { Rpc } from './rpc.ts';
import { transferCall } from './token.ts';
import type { Wallet } from './wallet.ts';

/**
 * Maximum gas of a settlement. An ordinary payer needs 85,000, and a smart wallet more. Nobody can make us
 * spend more gas than this.
 */
const MAX_GAS = 400_000n;

/**
 * Maximum gas of a settlement that also deploys the payer's wallet: Coinbase's wallet takes about 250,000
 * more, Safe's 300,000.
 */
const MAX_DEPLOYMENT_GAS = 800_000n;

export const maxGas = (payment: SignedPayment): bigint =>
  deploymentOf(payment) ? MAX_DEPLOYMENT_GAS : MAX_GAS;

/** Returns the call that settles a payment, preceded by the deployment of the payer's wallet if needed. */
export function settlingCall(payment: SignedPayment): Call {
  const deployment = deploymentOf(payment);
  const data = transferCall(deployment ? { ...payment, signature: deployment.signature } : payment);
  const transfer = { to: getAddress(payment.requirements.asset), data };
  return deployment ? deployAnd(deployment, transfer) : transfer;
}

/**
 * Simulates the transaction that we would send: from our wallet and at a real price, because a contract
 * wallet may agree only if nothing is paid for gas. The node's operator sees everything needed to send it.
 */
export async function estimateGas(rpc: Rpc, wallet: Wallet, { to, data }: Call): Promise<bigint> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await wallet.fees.current();
  const call = {
    from: wallet.address,
    to,
    data,
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
  return BigInt(await rpc.request({ method: 'eth_estimateGas', params: [call] }));
}
