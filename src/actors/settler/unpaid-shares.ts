/**
 * Limits how much of the log and of the node's capacity is used for payments that come to nothing: for
 * claims, for starts of settlements, and for queries to the node.
 */

import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import { setNewest } from '../../domain/set-newest.ts';
import { createPlaces, type Place } from './places.ts';
import type { Purchase } from './purchase.ts';

/**
 * Limits per hour on claims by payers whose balance does not cover the price, for one client and for its
 * network. 2,400 claims per hour for 48 hours take 55 MB of the 256 MB that claims have.
 */
const CLAIMS = { limits: [60, 240], capacity: 2_400, windowMs: 3_600_000 };

/**
 * Limits on settlements of payers that have never paid, counting those that are in progress or came to
 * nothing within the hour. The start of a settlement stays in the log forever: 600 starts per hour that come
 * to nothing are 22 MB per day, or 150 MB with the longest signatures. With 2 s blocks, a settlement takes
 * about two blocks.
 */
const STARTS = { limits: [20, 80], capacity: 600, windowMs: 3_600_000, holdMs: 4_000 };

/**
 * Limits per minute on payments that require queries to the node and come to nothing, for one client and for
 * its network. A payment signed by a key costs three queries. A payment from a contract wallet costs up to
 * 23, and only the node can say who signed it.
 */
const LOOKS = {
  key: { limits: [120, 480], windowMs: 60_000, holdMs: 500 },
  wallet: { limits: [30, 120], windowMs: 60_000, holdMs: 500 },
};

/**
 * Limits how often per minute the money of one claimed authorization is looked for. Claims have limits of
 * their own.
 */
const ARRIVALS = { limits: [30], windowMs: 60_000 };

/** Number of purchases that are remembered. The oldest are forgotten first. */
const MOST_KNOWN = 10_000;

type Client = Pick<Purchase, 'id' | 'ip'>;

/**
 * Limits payers who have never paid: they use our log and node for free, so each network has a quota. The
 * quota that a payment used is given back once the payment succeeds, and quota for work that wrote nothing is
 * given back as soon as that work ends.
 *
 * @param now returns milliseconds from a clock that never goes back
 */
export function openUnpaidShares(now: () => number) {
  const claims = createRates(CLAIMS);
  const starts = createPlaces(STARTS, now);
  const looks = { key: createPlaces(LOOKS.key, now), wallet: createPlaces(LOOKS.wallet, now) };
  const arrivals = createRates(ARRIVALS);
  const taken = new Map<string, readonly (() => void)[]>();

  /** Remembers what to give back when this purchase is paid. */
  const remember = (id: string, giveBack: () => void) =>
    setNewest(taken, id, [...(taken.get(id) ?? []), giveBack], MOST_KNOWN);

  return {
    /**
     * Takes a claim and returns the function that gives it back, or returns the number of milliseconds until
     * one is free.
     */
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

    /**
     * Keeps the place until the purchase is paid or the window has passed, because an entry was written for
     * it that will not be erased soon.
     */
    keep(id: string, place: Place): void {
      place.stay();
      remember(id, place.giveBack);
    },

    look: (kind: keyof typeof looks, { ip }: Client, milliseconds: number) =>
      looks[kind].enter(networksOf(ip), milliseconds),

    /**
     * Counts one search for the money of a claim. Other clients of the same network cannot delay it. Returns
     * the milliseconds to wait, or 0.
     */
    arrival: (claim: string): number =>
      arrivals.take([claim], now()) ? 0 : arrivals.remainingMs([claim], now()),

    paid(id: string): void {
      for (const giveBack of taken.get(id) ?? []) giveBack();
      taken.delete(id);
    },
  };
}
