/**
 * Limits how much each client, each network and all networks together may use in a sliding window of time,
 * such as requests per minute, with a reserve for networks that used little.
 */

import { setNewest } from '../set-newest.ts';
import { freeFor } from './shares.ts';

/** Number of parts in a window. Used amounts are forgotten part by part, not all at once. */
const PARTS = 12;

/**
 * Maximum number of networks that are remembered, at about 200 B each. Beyond it, the network that was seen
 * least recently is forgotten.
 */
const MAX_NETWORKS = 50_000;

/**
 * Shares of the capacity. `RESERVED` is kept for networks that used little in the window, and `FEW` is how
 * much counts as little.
 */
const RESERVED = 3 / 4;
const FEW = 1 / 128;

/** Amounts that were used in each part of the last window. */
interface Count {
  readonly parts: number[];
  /** Number of the current part. */
  part: number;
  sum: number;
}

type Sum = Pick<Count, 'sum'>;

export interface RatesOptions {
  readonly windowMs: number;
  /** Maximum amount that all networks together may use per window. */
  readonly capacity?: number;
  /** Maximum amounts per window, first for a client's narrowest network, then for the wider ones. */
  readonly limits?: readonly number[];
}

/**
 * Creates counters that track how much each client has used in the last window of time, for each of its
 * networks. `path` lists a client's networks, the widest first. `now` is in milliseconds of a clock that
 * never goes back.
 */
export function createRates({
  windowMs,
  capacity = Number.POSITIVE_INFINITY,
  limits = [],
}: RatesOptions) {
  const counts = new Map<string, Count>();
  const all = emptyCount();
  const partMs = windowMs / PARTS;
  const kept = { reserve: capacity * RESERVED, few: Math.ceil(capacity * FEW) };

  function forget(count: Count, now: number): Count {
    const part = Math.floor(now / partMs);
    for (let i = 0; count.part < part && i < PARTS; i++) {
      count.part += 1;
      count.sum -= count.parts[count.part % PARTS] ?? 0;
      count.parts[count.part % PARTS] = 0;
    }
    count.part = part;
    return count;
  }

  /** Returns the count of all networks together, followed by the counts of this client's networks. */
  function along(path: readonly string[], now: number): readonly [Count, ...Count[]] {
    const own = path.map((name) => {
      const count = forget(counts.get(name) ?? emptyCount(), now);
      // Moves the count to the end of the map, so that the network unseen for longest comes first.
      setNewest(counts, name, count, MAX_NETWORKS);
      return count;
    });
    return [forget(all, now), ...own];
  }

  /**
   * Returns how much a client may still use. In a limited network, a client always leaves its neighbours,
   * taken together, at least as much as it uses itself.
   */
  const roomOf = ([whole, ...own]: readonly [Sum, ...Sum[]]): number =>
    own.reduce(
      ({ room, around }, { sum }, i) => {
        const limit = limits[own.length - 1 - i] ?? Number.POSITIVE_INFINITY;
        const left = Math.min(around, limit) - sum;
        return { room: Math.min(room, left), around: left };
      },
      {
        room: freeFor(own[0]?.sum ?? 0, capacity - whole.sum, kept),
        around: Number.POSITIVE_INFINITY,
      },
    ).room;

  return {
    /** Returns how much a client may still use at the moment. */
    room: (path: readonly string[], now: number): number => roomOf(along(path, now)),
    /** Counts an amount if there is room for all of it. Otherwise returns false and counts nothing. */
    take(path: readonly string[], now: number, amount = 1): boolean {
      const found = along(path, now);
      if (roomOf(found) < amount) return false;
      for (const count of found) add(count, 0, amount);
      return true;
    },
    /** Counts an amount that was used, whether or not there was room for it. */
    count(path: readonly string[], now: number, amount: number): void {
      for (const count of along(path, now)) add(count, 0, amount);
    },
    /**
     * Gives back an amount that was taken but not used, except for any part of it that has already been
     * forgotten.
     */
    giveBack(path: readonly string[], now: number, amount: number): void {
      for (const count of along(path, now)) {
        let left = amount;
        for (let age = 0; age < PARTS; age++) {
          const back = Math.min(left, takenIn(count, age));
          add(count, age, -back);
          left -= back;
        }
      }
    },
    /**
     * Returns the time in milliseconds until there is room for `amount` and for more than there is now; 0 if
     * nothing was used or waiting does not help.
     */
    remainingMs(path: readonly string[], now: number, amount = 1): number {
      const found = along(path, now);
      const wanted = Math.max(amount, roomOf(found) + 1);
      const [whole, ...own] = found;
      for (let passed = 1; passed <= PARTS; passed++)
        if (roomOf([after(whole, passed), ...own.map((one) => after(one, passed))]) >= wanted)
          return whole.sum === 0 ? 0 : (whole.part + passed) * partMs - now;
      return 0;
    },
  };
}

const emptyCount = (): Count => ({ parts: new Array<number>(PARTS).fill(0), part: 0, sum: 0 });

/**
 * Returns the index of a part in a count.
 * @param age of the part, in parts; 0 means the current one
 */
const indexOf = ({ part }: Count, age: number): number => (part - age + PARTS) % PARTS;
const takenIn = (count: Count, age: number): number => count.parts[indexOf(count, age)] ?? 0;

/** Returns the count as it will be after `passed` more parts. */
function after(count: Count, passed: number): Sum {
  let { sum } = count;
  for (let age = PARTS - passed; age < PARTS; age++) sum -= takenIn(count, age);
  return { sum };
}

function add(count: Count, age: number, amount: number): void {
  count.sum += amount;
  count.parts[indexOf(count, age)] = takenIn(count, age) + amount;
}
