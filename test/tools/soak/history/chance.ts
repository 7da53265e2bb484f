/** Chance that can be had again: the same seed gives the same choices. */
export interface Chance {
  /** From 0 up to, and not including, 1. */
  number(): number;
  /** From `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<T>(of: readonly [T, ...T[]]): T;
  /** Another row of choices, which this one's do not disturb. */
  split(): Chance;
}

/** Mulberry32: 32 bits of state are enough to choose by. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number) =>
    least + Math.floor(number() * (most - least + 1));
  return {
    number,
    integer,
    pick: (of) => of[integer(0, of.length - 1)] ?? of[0],
    split: () => chance(integer(0, 2 ** 32 - 1)),
  };
}
