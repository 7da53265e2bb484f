/** A stream of numbers that the seed decides (mulberry32): each case can be made again from its own. */
export interface Random {
  /** From 0, below `end`. */
  below(end: number): number;
  /** One of them. */
  pick<T>(values: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    chance: (probability) => next() < probability,
  };
}
