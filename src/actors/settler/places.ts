/**
 * Limits how much payment work each client and each network can cause if that work may come to nothing. Work
 * without a free place waits in line.
 */

import { createFairQueue } from '../../domain/fairness/fair-queue.ts';
import { createRates, type RatesOptions } from '../../domain/fairness/rates.ts';

/** Weight of the newest measurement in the mean time for which work holds a place. */
const NEWEST = 1 / 4;

/**
 * Minimum time after which a client is asked to come back if current work holds all places, in milliseconds.
 */
const SOONEST_MS = 1_000;

/** A place that a piece of work holds. The work must leave it in every case. */
export interface Place {
  /** Frees the place, unless it has to stay taken. */
  leave(): void;
  /**
   * Keeps the place taken until the window has passed, because the work came to nothing. This also works
   * after `leave`.
   */
  stay(): void;
  /** Frees the place, because the work led to something after all. */
  giveBack(): void;
}

/** No place was free. `isBusy` means that current work holds the places; otherwise they are used up. */
export interface NoPlace {
  /** Time until the next place is expected to be free. */
  readonly freeInMs: number;
  readonly isBusy: boolean;
}

export interface PlacesOptions extends RatesOptions {
  /** How long work is expected to hold a place before any has been measured, in milliseconds. */
  readonly holdMs: number;
}

interface Waiting {
  readonly path: readonly string[];
  readonly go: (place?: Place) => void;
}

interface Hold {
  readonly path: readonly string[];
  readonly since: number;
}

/** A place for work that is not limited. */
export const OPEN_PLACE: Place = { leave() {}, stay() {}, giveBack() {} };

/**
 * Limits work that may come to nothing. Work in progress, and work that came to nothing within the window,
 * count together against the limits of each network. A place is free again as soon as its work leads to
 * something. Work without a place waits in line, and networks take turns.
 *
 * @param now returns milliseconds from a clock that never goes back
 */
export function createPlaces({ holdMs, ...options }: PlacesOptions, now: () => number) {
  const taken = createRates(options);
  const usedUp = createRates(options);
  const line = createFairQueue<Waiting>();
  const holds = new Set<Hold>();
  let meanMs = holdMs;

  function openPlace(path: readonly string[]): Place {
    const hold = { path, since: now() };
    holds.add(hold);
    let state: 'held' | 'used up' | 'free' = 'held';
    let stays = false;

    function free(): void {
      const isRemembered = now() - hold.since < options.windowMs;
      if (isRemembered) taken.giveBack(path, now(), 1);
      if (isRemembered && state === 'used up') usedUp.giveBack(path, now(), 1);
      state = 'free';
      admit();
    }
    function useUp(): void {
      if (state === 'free') taken.count(path, now(), 1);
      usedUp.count(path, now(), 1);
      state = 'used up';
      dismiss();
    }
    function leave(): void {
      if (state !== 'held') return;
      holds.delete(hold);
      if (stays) useUp();
      else {
        meanMs += NEWEST * (now() - hold.since - meanMs);
        free();
      }
    }

    return {
      leave,
      stay() {
        if (state === 'held') stays = true;
        else if (state === 'free') useUp();
      },
      giveBack() {
        stays = false;
        if (state === 'held') leave();
        else if (state === 'used up') free();
      },
    };
  }

  /** Gives free places to work that waits in line. */
  function admit(): void {
    while (true) {
      const next = line.take(({ path }) => taken.take(path, now()));
      if (!next) return;
      next.go(openPlace(next.path));
    }
  }

  /** Dismisses waiting work for which all places are used up. */
  function dismiss(): void {
    while (true) {
      const next = line.take(({ path }) => usedUp.room(path, now()) < 1);
      if (!next) return;
      next.go();
    }
  }

  function refusal(path: readonly string[]): NoPlace {
    const isBusy = usedUp.room(path, now()) >= 1;
    if (!isBusy) return { isBusy, freeInMs: taken.remainingMs(path, now()) };
    const held = [...holds];
    const next = held.find((one) => one.path[0] === path[0]) ?? held[0];
    const left = next ? meanMs - (now() - next.since) : 0;
    const rounds = Math.floor(line.size() / Math.max(1, held.length));
    return { isBusy, freeInMs: Math.max(SOONEST_MS, left) + rounds * meanMs };
  }

  return {
    /**
     * Resolves to a place, immediately or within this many milliseconds, or to the reason why no place is
     * free. Nobody waits for places that are used up.
     */
    async enter(path: readonly string[], milliseconds: number): Promise<Place | NoPlace> {
      if (taken.take(path, now())) return openPlace(path);
      const none = refusal(path);
      if (!none.isBusy || milliseconds <= 0) return none;
      const { promise, resolve } = Promise.withResolvers<Place | undefined>();
      const waiting = { path, go: resolve };
      line.push(path, waiting);
      const timer = setTimeout(() => {
        if (line.remove(waiting)) resolve(undefined);
      }, milliseconds);
      const place = await promise;
      clearTimeout(timer);
      return place ?? refusal(path);
    },
  };
}
