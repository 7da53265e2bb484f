import { type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import { toDollars } from '../../domain/usdc.ts';
import type { PaymentRequirements } from '../../domain/x402.ts';

/** Base Sepolia, Ethereum Sepolia. */
const TESTNETS = ['eip155:84532', 'eip155:11155111'];

/** What a report costs, for everything that names the price. */
export interface Offer {
  /** In dollars, without a sign: `0.05`. */
  readonly amount: string;
  /** As people write it: `$0.05`. */
  readonly price: string;
  readonly network: string;
  readonly testnet: boolean;
  /** The entry of `accepts`, as in a 402 for a report that has its whole life before it. */
  readonly terms: PaymentRequirements;
}

/** The one place that writes out price, network, asset and payee outside of the 402 itself. */
export function describeOffer(settings: PaymentSettings): Offer {
  const amount = toDollars(settings.amount);
  return {
    amount,
    price: `$${amount}`,
    network: settings.network,
    testnet: TESTNETS.includes(settings.network),
    terms: paymentTerms(settings, Number.POSITIVE_INFINITY),
  };
}
