/** Share of the connections from which on time limits shrink. */
const CALM = 0.5;

/** No client is given less, in milliseconds. */
const MIN_LIMIT_MS = 10_000;

/** How much faster a mail has to come when all connections are taken. */
const MAX_SPEED_UP = 16;

/** What a server that fills up still allows: half full, all of it; full, the least. */
export function createPressure(open: () => number, max: number) {
  /** From 0 to 1. */
  const level = () => Math.min(1, Math.max(0, (open() / max - CALM) / (1 - CALM)));
  return {
    /** A time limit now, in milliseconds. */
    shorten: (limitMs: number) =>
      Math.max(Math.min(limitMs, MIN_LIMIT_MS), limitMs * (1 - level())),
    /** A minimum rate now. */
    raise: (rate: number) => rate * (1 + level() * (MAX_SPEED_UP - 1)),
  };
}

export type Pressure = ReturnType<typeof createPressure>;
