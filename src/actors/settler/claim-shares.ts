import { createWindowCounts } from '../../domain/window-counts.ts';

/** Claims of payers that never paid, an hour and client; see `createWindowCounts` for its networks. */
const LIMIT = { limit: 60, windowMs: 3_600_000 };

/** Networks remembered. About 100 B each. */
const NETWORKS = 50_000;

/**
 * A claim costs its maker nothing and us a line for days: what never paid shares the bucket by network,
 * and a payment gives its part back.
 *
 * @param now milliseconds, ever increasing
 */
export function openClaimShares(now: () => number) {
  const counts = createWindowCounts(NETWORKS);
  return {
    /** Milliseconds until this client may claim again; 0: it may now, and it is counted. */
    take(ip: string): number {
      const { count, remainingMs } = counts.add({ ip }, LIMIT, now());
      return count > LIMIT.limit ? remainingMs : 0;
    },
    /** It has paid. */
    giveBack: (ip: string) => void counts.add({ ip }, LIMIT, now(), -1),
  };
}
