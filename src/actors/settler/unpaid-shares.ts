import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import { setNewest } from '../../domain/set-newest.ts';
import { createPlaces, type Place } from './places.ts';
import type { Purchase } from './purchase.ts';

/**
 * In an hour, of one client and of its network: claims of payers that have not the price. 2,400 an hour for 48
 * hours are 55 MB of the 256 that claims have.
 */
const CLAIMS = { limits: [60, 240], capacity: 2_400, windowMs: 3_600_000 };

/**
 * Settlements of payers that never paid, under way or come to nothing within the hour. A start is a line for
 * ever: 600 an hour that come to nothing are 22 MB a day, 150 with the longest signatures. With blocks of 2 s
 * one takes about two of them.
 */
const STARTS = { limits: [20, 80], capacity: 600, windowMs: 3_600_000, holdMs: 4_000 };

/**
 * In a minute, of one client and of its network: payments that cost questions to the node and come to nothing.
 * One signed by a key costs three; one of a contract wallet up to 23, and the node alone can say who signed it.
 */
const LOOKS = {
  key: { limits: [120, 480], windowMs: 60_000, holdMs: 500 },
  wallet: { limits: [30, 120], windowMs: 60_000, holdMs: 500 },
};

/** In a minute, looks whether the money of one claimed authorization has arrived. Claims have limits of their own. */
const ARRIVALS = { limits: [30], windowMs: 60_000 };

/** Purchases remembered; the oldest are forgotten first. */
const MOST_KNOWN = 10_000;

type Client = Pick<Purchase, 'id' | 'ip'>;

/**
 * What payers that never paid cost us is shared by network. What a payment took is given back once it is paid,
 * and what wrote nothing as soon as it ends.
 *
 * @param now milliseconds, ever increasing
 */
export function openUnpaidShares(now: () => number) {
  const claims = createRates(CLAIMS);
  const starts = createPlaces(STARTS, now);
  const looks = { key: createPlaces(LOOKS.key, now), wallet: createPlaces(LOOKS.wallet, now) };
  const arrivals = createRates(ARRIVALS);
  const taken = new Map<string, readonly (() => void)[]>();

  /** Is given back when this purchase is paid. */
  const remember = (id: string, giveBack: () => void) =>
    setNewest(taken, id, [...(taken.get(id) ?? []), giveBack], MOST_KNOWN);

  return {
    /** Takes a claim, and gives what returns it; or says in how many milliseconds one is free. */
    claim({ id, ip }: Client): (() => void) | { readonly freeInMs: number } {
      const path = networksOf(ip);
      if (!claims.take(path, now())) return { freeInMs: claims.remainingMs(path, now()) };
      let isTaken = true;
      const giveBack = () => {
        if (isTaken) claims.giveBack(path, now(), 1);
        isTaken = false;
      };
      remember(id, giveBack);
      return giveBack;
    },

    start: ({ ip }: Client, milliseconds: number) => starts.enter(networksOf(ip), milliseconds),

    /** Something is written for this place that nothing erases soon: it stays taken until the purchase is paid. */
    keep(id: string, place: Place): void {
      place.stay();
      remember(id, place.giveBack);
    },

    look: (kind: keyof typeof looks, { ip }: Client, milliseconds: number) =>
      looks[kind].enter(networksOf(ip), milliseconds),

    /** Counts a look for the money of a claim, which no neighbour delays. Gives the milliseconds to wait; 0: none. */
    arrival: (claim: string): number =>
      arrivals.take([claim], now()) ? 0 : arrivals.remainingMs([claim], now()),

    paid(id: string): void {
      for (const giveBack of taken.get(id) ?? []) giveBack();
      taken.delete(id);
    },
  };
}
