import { type Hex, numberToHex } from 'viem';
import { isErc6492Signature } from 'viem/utils';
import type { SignedPayment } from '../../ports/payment.ts';
import { isAnswer, type Rpc } from './rpc.ts';
import { transferCall } from './token.ts';
import type { Wallet } from './wallet.ts';

/** A plain payer needs 85,000, a smart wallet more; nobody may spend our ether beyond this. */
export const MAX_GAS = 400_000n;

/**
 * Whether the transaction that we would send succeeds now: from our wallet and at a real price, since
 * a contract wallet may say yes where nothing is paid for gas.
 */
export async function simulate(rpc: Rpc, wallet: Wallet, payment: SignedPayment): Promise<boolean> {
  // One that has to be deployed first cannot be simulated in one call.
  if (isErc6492Signature(payment.signature)) return true;
  const data = transferCall(payment);
  if (!data) return false;
  try {
    return (await estimateGas(rpc, wallet, payment.requirements.asset as Hex, data)) <= MAX_GAS;
  } catch (error) {
    if (isAnswer(error)) return false;
    throw error;
  }
}

export async function estimateGas(rpc: Rpc, wallet: Wallet, to: Hex, data: Hex): Promise<bigint> {
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
