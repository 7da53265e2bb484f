import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';

/** Claims of payers that never paid, in an hour: of one client, and of its network. */
const LIMITS = { limits: [60, 240], windowMs: 3_600_000 };

/**
 * A claim costs its maker nothing and us a line for days: what never paid shares the bucket by network,
 * and a payment gives its part back.
 *
 * @param now milliseconds, ever increasing
 */
export function openClaimShares(now: () => number) {
  const rates = createRates(LIMITS);
  return {
    /** Milliseconds until this client may claim again; 0: it may now, and it is counted. */
    take(ip: string): number {
      const path = networksOf(ip);
      return rates.take(path, now()) ? 0 : rates.remainingMs(path, now());
    },
    /** It has paid. */
    giveBack: (ip: string) => rates.giveBack(networksOf(ip), now(), 1),
  };
}
