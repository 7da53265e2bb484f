/** Counts what each client and network did in the last window of time. */

import { setNewest } from '../set-newest.ts';
import { freeFor } from './shares.ts';

/** Parts of a window. Amounts that were taken are forgotten part by part, not all at once. */
const PARTS = 12;

/**
 * Number of networks remembered, about 200 B each. Beyond that, the network that was seen least recently is
 * forgotten.
 */
const MAX_NETWORKS = 50_000;

/**
 * Shares of the capacity: what is reserved for networks that took little in the window, and how much counts
 * as little.
 */
const RESERVED = 3 / 4;
const FEW = 1 / 128;

/** How much was taken in each part of the last window. */
interface Count {
  readonly parts: number[];
  /** The current part. */
  part: number;
  sum: number;
}

type Sum = Pick<Count, 'sum'>;

export interface RatesOptions {
  readonly windowMs: number;
  /** How much all networks together may take per window. */
  readonly capacity?: number;
  /** How much the narrowest network of a client may take per window, then the wider ones. */
  readonly limits?: readonly number[];
}

/**
 * Counts what clients did in the last window of time, for each of their networks. `path` has the widest
 * network first; `now` is in milliseconds of a clock that never goes back.
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

  /** Returns the count of all networks, followed by those of this client's networks. */
  function along(path: readonly string[], now: number): readonly [Count, ...Count[]] {
    const own = path.map((name) => {
      const count = forget(counts.get(name) ?? emptyCount(), now);
      // Moves the count to the end, so that the one unseen for longest comes first.
      setNewest(counts, name, count, MAX_NETWORKS);
      return count;
    });
    return [forget(all, now), ...own];
  }

  /**
   * Within a limited network, the amount that a client leaves to all its neighbours together is at least as
   * large as what it takes.
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
    /** Returns how much may still be taken now. */
    room: (path: readonly string[], now: number): number => roomOf(along(path, now)),
    /** Takes this much. Returns false if there is less; nothing is then taken. */
    take(path: readonly string[], now: number, amount = 1): boolean {
      const found = along(path, now);
      if (roomOf(found) < amount) return false;
      for (const count of found) add(count, 0, amount);
      return true;
    },
    /** Counts what was taken, whether or not there was room for it. */
    count(path: readonly string[], now: number, amount: number): void {
      for (const count of along(path, now)) add(count, 0, amount);
    },
    /** Gives back what was taken but not used, as far as it has not been forgotten. */
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
     * Returns the time until there is room for this much, or for more than now, in milliseconds; 0 if nothing
     * was taken.
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

/** @param age in parts; 0 means the current one */
const indexOf = ({ part }: Count, age: number): number => (part - age + PARTS) % PARTS;
const takenIn = (count: Count, age: number): number => count.parts[indexOf(count, age)] ?? 0;

/** Returns the remainder of a count after this many more parts. */
function after(count: Count, passed: number): Sum {
  let { sum } = count;
  for (let age = PARTS - passed; age < PARTS; age++) sum -= takenIn(count, age);
  return { sum };
}

function add(count: Count, age: number, amount: number): void {
  count.sum += amount;
  count.parts[indexOf(count, age)] = takenIn(count, age) + amount;
}
