/** Declares what a wallet needs in order to pay for reports. */

import type { TRANSFER_TYPES } from '../../domain/transfer-authorization.ts';

/** Signs a payment: any viem account, or another wallet with these two members. */
export interface PayingAccount {
  readonly address: `0x${string}`;
  /** Signs EIP-712 typed data: the USDC transfer of EIP-3009. */
  signTypedData(typedData: TransferToSign): Promise<`0x${string}`>;
}

export interface TransferToSign {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: `0x${string}`;
  };
  readonly types: typeof TRANSFER_TYPES;
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: {
    readonly from: `0x${string}`;
    readonly to: `0x${string}`;
    /** Atomic units. */
    readonly value: bigint;
    /** Seconds since 1970. */
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: `0x${string}`;
  };
}
