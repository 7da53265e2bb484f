/** How long things may take around a payment, in milliseconds. Tests have shorter ones. */
export const TIMEOUTS = {
  /** Longest time a request waits, for its own job or another's; for the end of its settlement longer. */
  request: 25_000,
  /** Longest time it waits for the end of its settlement: the end of the longest authorization comes first. */
  decision: 4_000_000,
  /** From the end of an authorization to the block that shows what became of it. */
  decided: 10_000,
  /** Between two looks at a settlement that a request waits for: at first, and at most. */
  firstPause: 1_000,
  longestPause: 10_000,
  /** Of it, for the work of another. */
  join: 15_000,
  /** Longest wait for a place among the settlements of a payer. */
  line: 20_000,
  /** Longest time one settlement may take; then the chain is asked. */
  settle: 20_000,
  /** After this long without an event, the replica that worked on a settlement is taken for dead. */
  abandoned: 30_000,
  /** From the start of a settlement to the first look at it that no request asks for. */
  firstLook: 30_000,
  /** Between two looks; and when the authorization has run out. */
  nextLook: 15_000,
  lookAfterEnd: 60_000,
  /** Between two goes through the list of open settlements. */
  tick: 1_000,
};

export type Timeouts = Readonly<typeof TIMEOUTS>;
