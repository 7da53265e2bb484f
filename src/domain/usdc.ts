/** Describes USDC on each network where reports may be sold for it, and formats its amounts as dollars. */

/**
 * USDC on each network where reports may be sold for it, by CAIP-2 id: its contract, and the EIP-712 domain
 * that payers sign.
 */
export const USDC = {
  'eip155:8453': {
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
  },
  'eip155:84532': {
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
  },
} as const;

export interface Asset {
  readonly address: string;
  readonly name: string;
  readonly version: string;
}

/** Returns the USDC asset on a network, or `undefined` if USDC is not known there. */
export const usdcOn = (network: string): Asset | undefined =>
  Object.hasOwn(USDC, network) ? USDC[network as keyof typeof USDC] : undefined;

/** Number of decimals of a USD stablecoin on every chain: its atomic units are millionths of a dollar. */
export const DECIMALS = 6;

/** Formats an amount in atomic units as dollars, such as `0.05`, with two decimals, or more if needed. */
export function toDollars(atomic: bigint | string): string {
  const digits = String(atomic).padStart(DECIMALS + 1, '0');
  const [whole, fraction] = [digits.slice(0, -DECIMALS), digits.slice(-DECIMALS)];
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}
