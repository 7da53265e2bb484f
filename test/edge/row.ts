/**
 * Defines a row of the tables in this folder: what is sent from outside, what it may cost, and what
 * must come back. Also defines how long a row runs.
 */

/**
 * Something that comes from outside: what is sent, what it may cost, and what must come back. Every file of
 * this folder is a table of them, or the grammar by which they are sent and judged.
 */
export interface Row<Input, Budget, Expected> {
  readonly name: string;
  readonly input: Input;
  readonly budget: Budget;
  readonly expected: Expected;
}

const { EDGE_SECONDS, EDGE_SEED } = process.env;

/**
 * Duration per row, as in `npm run lab -- edge --seconds N`. If undefined, each runs once, in its small form.
 */
export const seconds = EDGE_SECONDS === undefined ? undefined : Number(EDGE_SECONDS);

/** Time limit of a test that runs this long, in milliseconds. */
export const timeout = seconds === undefined ? {} : { timeout: seconds * 3000 + 600_000 };

/** Returns how many random inputs are tried: this many, or as many as the time allows. */
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
