/** Defines the time limits of tests. */

/**
 * Time limit of one test, in milliseconds. It is meant for tests that never end: no test comes near it, not
 * even on a machine that is busy with something else. A test that measures time says so itself.
 */
export const TEST_MS = 300_000;

/** Time limit in milliseconds for one thing that a test waits for. */
export const WAIT_MS = 90_000;
