/** Signs the payment for a report with the user's wallet (EIP-3009). */

import { getRandomValues } from 'node:crypto';
import { TRANSFER_TYPES } from '../../domain/transfer-authorization.ts';
import type { PayingAccount } from './account.ts';
import type { AllowedOffer } from './limits.ts';

/** Maximum lifetime of an authorization in seconds, whatever the service asks for. */
const MAX_SECONDS = 600;

/** A signed payment, as `PAYMENT-SIGNATURE` and `x402/payment` transport it. */
interface SignedOffer {
  readonly payload: object;
  /** End of the validity in seconds since 1970. After that time, the payment cannot move any money. */
  readonly validBefore: number;
}

/** A private key, or an account that can sign. */
export type KeyOrAccount = `0x${string}` | PayingAccount;

/**
 * Returns the account that signs. The code that signs with a private key is loaded only when it is needed, so
 * that other commands start faster.
 */
export const accountOf = async (wallet: KeyOrAccount): Promise<PayingAccount> =>
  typeof wallet === 'string' ? (await import('./key-account.ts')).keyAccount(wallet) : wallet;

/** Signs a transfer of exactly the offer's amount to the offer's payee. */
export async function signPayment(
  account: PayingAccount,
  { offer, asset }: AllowedOffer,
  resource: unknown,
  nowSeconds: number,
): Promise<SignedOffer> {
  const validBefore = nowSeconds + Math.min(MAX_SECONDS, Math.floor(offer.maxTimeoutSeconds));
  const authorization = {
    from: account.address,
    to: offer.payTo as `0x${string}`,
    value: offer.amount,
    // The authorization is valid immediately, even if the chain's clock is behind ours.
    validAfter: '0',
    validBefore: String(validBefore),
    nonce: `0x${Buffer.from(getRandomValues(new Uint8Array(32))).toString('hex')}` as const,
  };
  const signature = await account.signTypedData({
    domain: {
      name: asset.name,
      version: asset.version,
      chainId: Number(offer.network.split(':')[1]),
      verifyingContract: asset.address as `0x${string}`,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  const payload = {
    x402Version: 2,
    ...(resource !== undefined && { resource }),
    accepted: offer,
    payload: { signature, authorization },
  };
  return { payload, validBefore };
}
