/**
 * One thing that comes from outside: what is sent, what it may cost, and what must come back. Every
 * file of this folder is a table of them, or the grammar by which they are sent and judged.
 */
export interface Row<Input, Budget, Expected> {
  readonly name: string;
  readonly input: Input;
  readonly budget: Budget;
  readonly expected: Expected;
}

const { EDGE_SECONDS, EDGE_SEED } = process.env;

/** For each row, as `npm run lab -- edge --seconds N` gives them; undefined: once, and small. */
export const seconds = EDGE_SECONDS === undefined ? undefined : Number(EDGE_SECONDS);

/** In milliseconds: of a test that goes on for so long. */
export const timeout = seconds === undefined ? {} : { timeout: seconds * 3000 + 600_000 };

/** How many random inputs are tried: so many, or as many as the time allows. */
export const runs = (small: number) => ({
  endOnFailure: process.env.EDGE_NO_SHRINK !== undefined,
  numRuns: seconds === undefined ? small : Number.MAX_SAFE_INTEGER,
  seed:
    EDGE_SEED === undefined
      ? seconds === undefined
        ? 20_261_120
        : Date.now() | 0
      : Number(EDGE_SEED),
  ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000 }),
});
