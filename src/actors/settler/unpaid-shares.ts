import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import { setNewest } from '../../domain/set-newest.ts';
import type { Purchase } from './purchase.ts';

/** In an hour, of one client and of its network. 2,400 an hour for 48 hours are 55 MB of the 256 that claims have. */
const CLAIMS = { limits: [60, 240], capacity: 2_400, windowMs: 3_600_000 };

/** A start is a line for ever: 600 an hour that come to nothing are 22 MB a day, 150 with the longest signatures. */
const STARTS = { limits: [20, 80], capacity: 600, windowMs: 3_600_000 };

/** Purchases remembered; the oldest are forgotten first. */
const MOST_KNOWN = 10_000;

type Rates = ReturnType<typeof createRates>;

/**
 * What payers that never paid write costs them nothing: it is shared by network, and a payment gives back
 * what its purchase took.
 *
 * @param now milliseconds, ever increasing
 */
export function openUnpaidShares(now: () => number) {
  const [claims, starts] = [createRates(CLAIMS), createRates(STARTS)];
  const taken = new Map<string, readonly (() => void)[]>();

  /** Milliseconds until this client may take again; 0: it may now, and it is counted. */
  function take(rates: Rates, { id, ip }: Pick<Purchase, 'id' | 'ip'>): number {
    const path = networksOf(ip);
    if (!rates.take(path, now())) return rates.remainingMs(path, now());
    const giveBack = () => rates.giveBack(path, now(), 1);
    setNewest(taken, id, [...(taken.get(id) ?? []), giveBack], MOST_KNOWN);
    return 0;
  }

  return {
    claim: (purchase: Purchase) => take(claims, purchase),
    start: (purchase: Purchase) => take(starts, purchase),
    paid(id: string): void {
      for (const giveBack of taken.get(id) ?? []) giveBack();
      taken.delete(id);
    },
  };
}
