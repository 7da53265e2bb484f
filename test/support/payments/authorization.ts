/**
 * Signs payments and cancellations as a payer would, and converts them to arguments of the token's functions.
 */

import { randomBytes } from 'node:crypto';
import { type Address, type Hex, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { TRANSFER_TYPES } from '../../../src/domain/transfer-authorization.ts';
import type { Chain } from '../../environment/chain.ts';

const types = {
  ...TRANSFER_TYPES,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

interface Options {
  readonly from?: Address;
  readonly to?: Address;
  readonly value?: bigint;
  readonly validAfter?: number;
  /** Time at which the authorization expires, in seconds since 1970. */
  readonly validBefore?: number;
  readonly nonce?: Hex;
  /** Signs instead of the payer. */
  readonly key?: Hex;
  readonly name?: string;
}

/** Returns 32 random bytes. */
export const newNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`;

/** Returns the wall clock in seconds. A chain that mines at once has the same time. */
export const nowSeconds = () => Math.floor(Date.now() / 1000);

const domainOf = ({ asset }: Pick<Chain, 'asset'>, name = 'USD Coin') =>
  ({ name, version: '2', chainId: 8453, verifyingContract: asset }) as const;

/** Makes a payment of 0.05 USD from the chain's payer to its payee, signed as the official client does. */
export async function authorize(chain: Chain, options: Options = {}) {
  const authorization = {
    from: options.from ?? chain.payer.address,
    to: options.to ?? chain.payTo,
    value: `${options.value ?? 50_000n}`,
    validAfter: `${options.validAfter ?? 0}`,
    validBefore: `${options.validBefore ?? nowSeconds() + 120}`,
    nonce: options.nonce ?? newNonce(),
  };
  const { value, validAfter, validBefore } = authorization;
  const signature = await privateKeyToAccount(options.key ?? chain.payer.privateKey).signTypedData({
    domain: domainOf(chain, options.name),
    types,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  return { signature, authorization };
}

/** Returns the arguments of `cancelAuthorization`, with the signature as `v, r, s`. */
export async function cancellation(chain: Chain, nonce: Hex, key = chain.payer.privateKey) {
  const account = privateKeyToAccount(key);
  const authorizer = account.address;
  const signature = await account.signTypedData({
    domain: domainOf(chain),
    types,
    primaryType: 'CancelAuthorization',
    message: { authorizer, nonce },
  });
  return [authorizer, nonce, ...splitSignature(signature)] as const;
}

/** Returns the arguments of either overload of `transferWithAuthorization`. */
export function transferArguments({
  authorization: { from, to, value, validAfter, validBefore, nonce },
}: Awaited<ReturnType<typeof authorize>>) {
  return [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
}

/** Splits a signature of 65 bytes into `v, r, s`. */
export function splitSignature(signature: Hex) {
  const { r, s, yParity } = parseSignature(signature);
  return [27 + yParity, r, s] as const;
}
