/**
 * Enforces the user's limits on payments: the price, the network, the payee and the total. Also converts
 * amounts in USD.
 */

import { type Asset, DECIMALS, toDollars, USDC, usdcOn } from '../../domain/usdc.ts';
import type { PaymentRequirements } from '../../domain/x402.ts';
import { CommandError, usageError } from '../exit.ts';

/** The user's limits on payments. */
export interface PaymentLimits {
  /** Highest price of one report, in atomic units. */
  readonly maxAmount: bigint;
  readonly network: string;
  /** The only payee that is allowed; null allows the payee that the service names. */
  readonly payTo: string | null;
}

/**
 * Converts an amount in USD, as people write it, to atomic units.
 * @throws CommandError if it is not an amount
 */
export function toAtomic(option: string, usd: string): bigint {
  const [, whole, decimals = ''] = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd) ?? [];
  if (whole === undefined)
    throw usageError(`${option} must be an amount in USD such as 0.05, not ${usd}.`);
  return BigInt(whole) * 10n ** BigInt(DECIMALS) + BigInt(decimals.padEnd(DECIMALS, '0'));
}

export const formatUsd = (atomic: bigint): string => `USD ${toDollars(atomic)}`;

/**
 * Returns the USDC asset on a network.
 * @throws CommandError that names the supported networks
 */
export function knownAsset(network: string): Asset {
  const asset = usdcOn(network);
  if (!asset)
    throw usageError(`--network must be ${Object.keys(USDC).join(' or ')}, not ${network}.`);
  return asset;
}

/** Maximum number of offers that an error message names. */
const MAX_NAMED = 3;

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** An offer that the user allows to be signed. */
export interface AllowedOffer {
  readonly offer: PaymentRequirements;
  readonly asset: Asset;
  readonly amount: bigint;
}

/**
 * Returns the offer in a challenge that the user allows. It comes with the asset's real EIP-712 domain, which
 * replaces the one that the service states.
 *
 * @throws CommandError that says why there is none
 */
export function chooseOffer(
  accepts: readonly PaymentRequirements[],
  { network, maxAmount, payTo }: PaymentLimits,
): AllowedOffer {
  const asset = knownAsset(network);
  const refuse = (why: string) =>
    new CommandError('payment_not_allowed', `Nothing was paid. ${why}`);
  const offer = accepts.find(
    (one) => one.scheme === 'exact' && one.network === network && isSame(one.asset, asset.address),
  );
  if (!offer) {
    const asked = accepts
      .slice(0, MAX_NAMED)
      .map((one) => `${one.scheme} on ${one.network} in ${one.asset}`);
    throw refuse(
      `The service asks for ${asked.join(', ') || 'nothing readable'}, but this command pays USDC on ${network} (--network).`,
    );
  }
  const amount = BigInt(offer.amount);
  if (amount > maxAmount)
    throw refuse(
      `The report costs ${formatUsd(amount)}, but you allow only ${formatUsd(maxAmount)} (--max-price).`,
    );
  if (payTo !== null && !isSame(offer.payTo, payTo))
    throw refuse(
      `The service asks to be paid at ${offer.payTo}, but you allow only ${payTo} (--pay-to).`,
    );
  return { offer, asset, amount };
}

/**
 * The total that may still be signed for, in atomic units. Both methods throw a CommandError if less than
 * `amount` is left.
 */
export interface Budget {
  assertLeft(amount: bigint): void;
  /**
   * Subtracts an amount. It must be called before signing, because anyone who has a signature can redeem it,
   * whatever the service says.
   */
  spend(amount: bigint): void;
}

/**
 * Creates a budget in which everything that is signed counts as spent, even if the service says that nothing
 * was charged: a signature can be redeemed until it expires.
 *
 * @param most in atomic units
 */
export function createBudget(most: bigint): Budget {
  let spent = 0n;
  const assertLeft = (amount: bigint) => {
    if (spent + amount > most)
      throw new CommandError(
        'payment_not_allowed',
        `Nothing was paid. The report costs ${formatUsd(amount)}, but only ${formatUsd(most - spent)} is left of the ${formatUsd(most)} that the user allows (--budget). Ask the user to start this server with a higher --budget.`,
      );
  };
  return {
    assertLeft,
    spend(amount) {
      assertLeft(amount);
      spent += amount;
    },
  };
}
