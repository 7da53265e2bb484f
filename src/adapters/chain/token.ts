/**
 * Encodes the calls of an EIP-3009 token, reads its state, finds in its events the transfer that an
 * authorization made, and builds the buyer's receipt.
 */

import {
  encodeFunctionData,
  type Hex,
  hexToNumber,
  isAddressEqual,
  parseAbi,
  type RpcLog,
  size,
  slice,
  toEventSelector,
} from 'viem';
import type { Authorization, PaymentRequirements, SettlementResponse } from '../../domain/x402.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import type { Rpc } from './rpc.ts';

/** The parts of an EIP-3009 token that we read. */
export const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/**
 * Returns whether a payment's nonce can never be used again, according to the newest block or to the block
 * that is named.
 */
export const isUsed = (
  rpc: Rpc,
  { requirements, authorization }: SignedPayment,
  block?:
    | { readonly blockHash: Hex; readonly requireCanonical: true }
    | { readonly blockNumber: bigint },
) =>
  rpc.readContract({
    address: requirements.asset as Hex,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [authorization.from as Hex, authorization.nonce as Hex],
    ...block,
  });

/**
 * Both forms of the call that settles a payment: with `v, r, s` for an ordinary account, and with bytes for a
 * contract.
 */
const transferAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

/** Returns the call that settles a payment, with its signature in the form that was checked. */
export function transferCall({ authorization, signature }: SignedPayment): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const terms = [
    from as Hex,
    to as Hex,
    BigInt(value),
    BigInt(validAfter),
    BigInt(validBefore),
    nonce as Hex,
  ] as const;
  const functionName = 'transferWithAuthorization';
  const v = size(signature) === 65 ? hexToNumber(slice(signature, 64)) : 0;
  // 65 bytes from a contract wallet may be something other than a key's signature, so they are passed on
  // unchanged.
  if (v !== 27 && v !== 28)
    return encodeFunctionData({ abi: transferAbi, functionName, args: [...terms, signature] });
  const args = [...terms, v, slice(signature, 0, 32), slice(signature, 32, 64)] as const;
  return encodeFunctionData({ abi: transferAbi, functionName, args });
}

const plainAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);

/** Encodes a plain transfer by the account that sends it. */
export const encodeTransfer = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: plainAbi, functionName: 'transfer', args: [to as Hex, amount] });

/** First topics of the events that show the outcome of an authorization. */
export const topics = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  cancelled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
  transfer: toEventSelector('Transfer(address,address,uint256)'),
};

/** Encodes an address as a log topic: 32 bytes, in lower case. */
export const addressTopic = (address: string): Hex =>
  `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** Identifies an authorization on its chain. */
export type AuthorizationKey = Pick<PaymentRequirements, 'asset'> &
  Pick<Authorization, 'from' | 'nonce'>;

type Log = Pick<RpcLog, 'address' | 'data' | 'topics'>;

/** Returns whether this log entry says that the authorization was used or cancelled. */
export const isOfAuthorization = (
  log: Log,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
  topic: Hex,
) =>
  log.topics[0] === topic &&
  log.topics[1] === addressTopic(from) &&
  log.topics[2]?.toLowerCase() === nonce.toLowerCase();

/**
 * Returns whether these logs of one transaction contain the transfer that this very authorization made: the
 * asset's next log entry after `AuthorizationUsed` (EIP-3009, reference implementation; the same in USDC).
 * Not just any transfer of the same amount will do, because one transaction may use several authorizations.
 */
export function movedMoney(logs: readonly Log[], { requirements, authorization }: SignedPayment) {
  const moved = transferOf(logs, { asset: requirements.asset, ...authorization });
  return (
    moved !== undefined &&
    isAddressEqual(moved.to, requirements.payTo as Hex) &&
    moved.value === BigInt(requirements.amount)
  );
}

/**
 * Returns the transfer that this authorization made, whoever received it, from the logs of one transaction.
 */
export function transferOf(logs: readonly Log[], { asset, ...name }: AuthorizationKey) {
  const ofAsset = logs.filter(({ address }) => isAddressEqual(address, asset as Hex));
  const used = ofAsset.findIndex((log) => isOfAuthorization(log, name, topics.used));
  const next = used < 0 ? undefined : ofAsset[used + 1];
  if (next?.topics[0] !== topics.transfer || next.topics[1] !== addressTopic(name.from))
    return undefined;
  return { to: `0x${next.topics[2]?.slice(-40)}` as Hex, value: BigInt(next.data) };
}

/** Returns the buyer's receipt, however the transfer was found. */
export const toReceipt = (
  { requirements, authorization }: SignedPayment,
  transaction: string,
): SettlementResponse => ({
  success: true,
  transaction,
  network: requirements.network,
  payer: authorization.from,
});
