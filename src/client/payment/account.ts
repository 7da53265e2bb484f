/** Declares the interface of a wallet that can pay for reports. */

import type { TRANSFER_TYPES } from '../../domain/transfer-authorization.ts';

/** An account that signs payments: any viem account, or another wallet with these two members. */
export interface PayingAccount {
  readonly address: `0x${string}`;
  /** Signs EIP-712 typed data, which is a USDC transfer as in EIP-3009. */
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
    /** Amount in atomic units. */
    readonly value: bigint;
    /** Start of the validity in seconds since 1970. */
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: `0x${string}`;
  };
}
