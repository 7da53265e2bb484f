/** Makes pseudo-random choices, the same ones for the same seed. */

/** Pseudo-random choices. The same seed gives the same ones. */
export interface Prng {
  /** Returns a number from 0 up to, but not including, 1. */
  number(): number;
  /** Returns a whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  /** Returns a whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  /** @throws for an empty list */
  pick<T>(of: readonly T[]): T;
  /** Returns another sequence of choices, which does not affect this one's. */
  split(): Prng;
}

/** Mulberry32, whose 32 bits of state are enough for choices. */
export function prng(seed: number): Prng {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(number() * end);
  const integer = (least: number, most: number) => least + below(most - least + 1);
  return {
    number,
    below,
    integer,
    chance: (probability) => number() < probability,
    pick<T>(of: readonly T[]): T {
      if (of.length === 0) throw new Error('There is nothing to pick from.');
      return of[below(of.length)] as T;
    },
    split: () => prng(integer(0, 2 ** 32 - 1)),
  };
}
