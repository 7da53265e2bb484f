/**
 * Limits are for what never ends, in milliseconds: no test is near them, not even on a machine that
 * is busy with something else. A test that measures time says so itself.
 */
export const TEST_MS = 300_000;

/** For one thing that a test waits for. */
export const WAIT_MS = 90_000;
