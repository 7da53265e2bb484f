import { type Hex, isAddressEqual, parseAbi, type RpcLog, toEventSelector } from 'viem';
import type { Authorization, SettlementResponse } from '../../domain/x402.ts';
import type { SignedPayment } from '../../ports/payment.ts';

/** What of an EIP-3009 token is read. */
export const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** First topics of the events that show what became of an authorization. */
export const topics = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  cancelled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
  transfer: toEventSelector('Transfer(address,address,uint256)'),
};

/** An address as a topic: 32 bytes, in lower case. */
export const addressTopic = (address: string): Hex =>
  `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

type Log = Pick<RpcLog, 'address' | 'data' | 'topics'>;

/** Whether this log says that the authorization was used, or cancelled. */
export const concerns = (log: Log, { from, nonce }: Authorization, topic: Hex) =>
  log.topics[0] === topic &&
  log.topics[1] === addressTopic(from) &&
  log.topics[2]?.toLowerCase() === nonce.toLowerCase();

/**
 * Whether these logs of one transaction hold the transfer that this very authorization made: the
 * asset's next log after `AuthorizationUsed` (EIP-3009, reference implementation; USDC likewise).
 * Any transfer of the same sum would not do: one transaction may use several authorizations.
 */
export function movedMoney(logs: readonly Log[], { requirements, authorization }: SignedPayment) {
  const ofAsset = logs.filter(({ address }) => isAddressEqual(address, requirements.asset as Hex));
  const used = ofAsset.findIndex((log) => concerns(log, authorization, topics.used));
  const next = used < 0 ? undefined : ofAsset[used + 1];
  return (
    next?.topics[0] === topics.transfer &&
    next.topics[1] === addressTopic(authorization.from) &&
    next.topics[2] === addressTopic(requirements.payTo) &&
    BigInt(next.data) === BigInt(requirements.amount)
  );
}

/** What the buyer is given, however the transfer was found. */
export const toReceipt = (
  { requirements, authorization }: SignedPayment,
  transaction: string,
): SettlementResponse => ({
  success: true,
  transaction,
  network: requirements.network,
  payer: authorization.from,
});
