/** Declares the schemas of x402 that requests, responses and events share. */

import { type Static, Type } from '@sinclair/typebox';

/**
 * `0x` and hex digits for up to 8192 bytes: room for the longest signature that we accept (4096 bytes,
 * ERC-1271 wallets).
 */
export const Hex = Type.String({ pattern: '^0x([0-9a-fA-F]{2}){0,8192}$' });
export type Hex = `0x${string}`;

/** The hash of a transaction. */
export const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });

/** An account or a contract on an EVM chain. */
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });

/** A whole decimal number without leading zeros, of at most 78 digits, as uint256 has. */
const Uint = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });

/** The amount to pay, and how to pay it: one entry of `accepts`. */
export const PaymentRequirements = Type.Object({
  scheme: Type.String(),
  /** CAIP-2, for example `eip155:8453`. */
  network: Type.String({ pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' }),
  /** In atomic units of the asset. */
  amount: Uint,
  asset: Address,
  payTo: Address,
  maxTimeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
  /** The EIP-712 domain of the asset. */
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type PaymentRequirements = Static<typeof PaymentRequirements>;

/** `transferWithAuthorization` of EIP-3009, as the payer signed it. */
export const Authorization = Type.Object({
  from: Address,
  to: Address,
  value: Uint,
  /** Seconds since 1970; both bounds are exclusive. */
  validAfter: Uint,
  validBefore: Uint,
  nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
});
export type Authorization = Static<typeof Authorization>;

/** The receipt of a settlement: the content of `PAYMENT-RESPONSE`. */
export const SettlementResponse = Type.Object({
  success: Type.Boolean(),
  /** Empty if it failed. */
  transaction: Type.String(),
  network: Type.String(),
  payer: Type.Optional(Type.String()),
  amount: Type.Optional(Type.String()),
  errorReason: Type.Optional(Type.String()),
  errorMessage: Type.Optional(Type.String()),
});
export type SettlementResponse = Static<typeof SettlementResponse>;
