/** Chance that can be repeated: the same seed gives the same throws (mulberry32). */
export function diceOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A whole number from 0 to `below`, exclusive. */
    number: (below: number) => Math.floor(next() * below),
    chance: (probability: number) => next() < probability,
    /** @throws for an empty list */
    pick<T>(list: readonly T[]): T {
      const one = list[Math.floor(next() * list.length)];
      if (one === undefined) throw new Error('There is nothing to pick from.');
      return one;
    },
  };
}

export type Dice = ReturnType<typeof diceOf>;
