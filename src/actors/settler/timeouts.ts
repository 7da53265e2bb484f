/**
 * Time limits for settling a payment and for requests that wait for it, in milliseconds. Tests use shorter
 * ones.
 */
export const TIMEOUTS = {
  /**
   * Longest time that a request waits for a job, whether its own or another's. It waits longer for the end of
   * its settlement.
   */
  request: 25_000,
  /**
   * Longest time that a request waits for the end of its settlement. Even the longest authorization ends
   * before that.
   */
  decision: 4_000_000,
  /** Time from the end of an authorization to the block that shows its outcome. */
  decided: 10_000,
  /** First and longest pause between two checks of a settlement that a request waits for. */
  firstPause: 1_000,
  longestPause: 10_000,
  /** Part of a request's time that the request may spend waiting for the work of another request. */
  join: 15_000,
  /** Longest wait for a place among the settlements of a payer. */
  line: 20_000,
  /** Longest time one settlement may take. After that, the chain is asked. */
  settle: 20_000,
  /** A replica that has recorded nothing about its settlement for this long is considered dead. */
  abandoned: 30_000,
  /**
   * Time from when a replica first sees an open settlement until it checks the settlement without a request
   * for it. A replica that starts checks every open settlement immediately.
   */
  firstLook: 30_000,
  /** Shortest pause between two such checks: before the authorization has ended, and after that. */
  nextLook: 15_000,
  lookAfterEnd: 60_000,
  /** Pause between two passes over the list of open settlements. */
  tick: 1_000,
};

export type Timeouts = Readonly<typeof TIMEOUTS>;
