/**
 * Declares the x402 schemas that requests, responses and events share: payment terms, signed authorizations
 * and receipts of settlements.
 */

import { type Static, Type } from '@sinclair/typebox';

/**
 * `0x` and the hex digits of up to 8192 bytes, which leaves room for the longest signature that we accept
 * (4096 bytes, ERC-1271 wallets).
 */
export const Hex = Type.String({ pattern: '^0x([0-9a-fA-F]{2}){0,8192}$' });
export type Hex = `0x${string}`;

/** A transaction hash. */
export const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });

/** The address of an account or a contract on an EVM chain. */
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });

/**
 * A whole number in decimal, without leading zeros and with at most 78 digits, which is as many as a uint256
 * can have.
 */
const Uint = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });

/** The amount to pay, and how to pay it: one entry of `accepts`. */
export const PaymentRequirements = Type.Object({
  scheme: Type.String(),
  /** The chain as a CAIP-2 id, for example `eip155:8453`. */
  network: Type.String({ pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' }),
  /** Amount in atomic units of the asset. */
  amount: Uint,
  asset: Address,
  payTo: Address,
  maxTimeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
  /** Name and version of the asset's EIP-712 domain. */
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type PaymentRequirements = Static<typeof PaymentRequirements>;

/** The arguments of `transferWithAuthorization` (EIP-3009), as the payer signed them. */
export const Authorization = Type.Object({
  from: Address,
  to: Address,
  value: Uint,
  /** Start of the validity in seconds since 1970; like `validBefore`, it is exclusive. */
  validAfter: Uint,
  validBefore: Uint,
  nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
});
export type Authorization = Static<typeof Authorization>;

/** The receipt of a settlement: the content of `PAYMENT-RESPONSE`. */
export const SettlementResponse = Type.Object({
  success: Type.Boolean(),
  /** Hash of the transaction; empty if the settlement failed. */
  transaction: Type.String(),
  network: Type.String(),
  payer: Type.Optional(Type.String()),
  amount: Type.Optional(Type.String()),
  errorReason: Type.Optional(Type.String()),
  errorMessage: Type.Optional(Type.String()),
});
export type SettlementResponse = Static<typeof SettlementResponse>;
