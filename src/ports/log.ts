/**
 * Declares the ports of the event log and its health, of the views derived from it (buckets, and rows in
 * memory), and of the claims that tie a payment's authorization to one report.
 */

import type { Damage, MessageFault } from '../domain/history.ts';
import type { Claim } from '../domain/payment-events.ts';
import type { Row, StatusName } from '../projection/row.ts';

/**
 * The outcome of an append. `lost`: another event came first, at `seq`, so decide again. `full`: the log
 * accepts no more for this subject, or at all. `unknown`: the deadline passed without a response, so the
 * event may or may not be stored.
 */
export type Appended =
  | { readonly outcome: 'appended' | 'lost'; readonly seq: number }
  | { readonly outcome: 'full' | 'unknown' };

/** An event with its position. `seq` is the sequence number in the stream, not in the subject. */
export interface Recorded<E> {
  readonly id: string;
  readonly seq: number;
  /** When the log stored it, in milliseconds since 1970. */
  readonly time: number;
  readonly event: E;
  /** Sequence number of the subject's previous message, as the writer expected it; 0 for the first. */
  readonly after?: number;
}

/** A message that is not an event, or for which `onEvent` threw an error. */
export interface Poison {
  readonly id: string;
  readonly seq: number;
  readonly fault: MessageFault;
}

/** A value in the form in which it is stored. Whoever made it has checked it. */
export interface Encoded {
  readonly json: Uint8Array;
}

export type EncodedEvent = Encoded & { readonly id: string };

export const isEncoded = (value: object): value is Encoded =>
  'json' in value && value.json instanceof Uint8Array;

/** The messages that the log has on one subject, in order. */
export interface Remains<E> {
  readonly events: readonly Recorded<E>[];
  /** Why these events are not the whole history; `undefined` if they are. */
  readonly damage: Damage | undefined;
  /**
   * Sequence number of the last message, whether or not it is an event; 0 if there is none. The next append
   * expects it.
   */
  readonly end: number;
}

export interface FollowOptions<E> {
  /** Where to begin. Default: the first message. */
  readonly from?: { readonly time: number } | { readonly seq: number };
  /** Messages without such text are skipped unread, which takes half as long as reading them. */
  readonly containing?: RegExp | undefined;
  /** Called once for each event, in order, one after another. If it throws, the event counts as poison. */
  readonly onEvent: (recorded: Recorded<E>) => void;
  readonly onPoison?: (poison: Poison) => void;
}

export interface Following {
  /** Resolves when everything that was in the log at the beginning has been delivered. */
  readonly ready: Promise<void>;
  /** Returns the number of events that are stored but not yet delivered, as last known. */
  lag(): number;
  /** Returns whether the log can be reached and may have held undelivered events for seconds. */
  isBehind(): boolean;
  stop(): Promise<void>;
}

/**
 * A log of one kind of event, with a subject for each id. It is on JetStream in `adapters/nats/` and in
 * memory in the tests. Both pass the same contract suite, event-log.ts.
 */
export interface EventLog<E> {
  /**
   * Appends one event if the last one of its subject is at `expectedSeq`; 0 means that the subject is empty.
   *
   * @param deadlineMs milliseconds after which the outcome is `unknown`; 20,000 by default
   * @throws only for a defect or a wrong configuration. An outage is `unknown`.
   */
  append(id: string, event: E, expectedSeq: number, deadlineMs?: number): Promise<Appended>;

  /**
   * Returns all events of one subject in order, read at the leader.
   *
   * @throws ServiceError `log_unavailable`; `test_damaged` if that is not the whole history
   */
  read(id: string): Promise<readonly Recorded<E>[]>;

  /**
   * Like `read`, but also for an incomplete history: to erase it, end it or show it.
   *
   * @throws ServiceError `log_unavailable`
   */
  readRemains(id: string): Promise<Remains<E>>;

  /**
   * Returns the event at one sequence number, read at the leader, or `undefined` if it is gone.
   *
   * @throws ServiceError `log_unavailable`
   */
  readAt(seq: number): Promise<Recorded<E> | undefined>;

  /** Returns the number of messages of each subject, readable or not. @throws as `readAt` */
  counts(): Promise<ReadonlyMap<string, number>>;

  /** Delivers what is stored now and later, across restarts of the server. */
  follow(options: FollowOptions<E>): Following;

  /**
   * Removes one message. If it does not exist, that counts as done. `secure` overwrites its bytes on disk.
   *
   * @throws ServiceError `log_unavailable`
   */
  erase(seq: number, how: 'secure' | 'plain'): Promise<void>;
}

/** A log that also accepts events in their stored form. */
export interface EncodedLog<E> extends EventLog<E> {
  append(
    id: string,
    event: E | EncodedEvent,
    expectedSeq: number,
    deadlineMs?: number,
  ): Promise<Appended>;
}

/** A value derived from a log, with the sequence number it was folded up to. */
export interface Projected {
  readonly seq: number;
}

/** A bucket of values by key that can be rebuilt from the log. A value is never replaced by an older one. */
export interface Projection<V extends Projected> {
  /** @throws ServiceError `log_unavailable` */
  get(key: string): Promise<V | undefined>;
  /** Returns whether the key has a value, without reading it. @throws as `get` */
  has(key: string): Promise<boolean>;
  /**
   * Writes a value. `skipped` means that the stored value is as new or newer. @throws ServiceError
   * `log_unavailable`
   */
  put(key: string, value: V | (Encoded & Projected)): Promise<'written' | 'skipped'>;
  /** Removes the value and its bytes. If it does not exist, that counts as done. */
  erase(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Calls `onValue` for each value, at the cost of a few requests. @throws as `get` */
  scan(onValue: (key: string, value: V) => void): Promise<void>;
}

/**
 * Ties one authorization to one report. A claim is created if absent, is never changed or deleted, and
 * expires with its age.
 */
export interface Claims {
  /**
   * Returns the owner after the attempt: this claim, or the one that came first. Read at the leader.
   *
   * @throws ServiceError `log_unavailable`
   */
  claim(key: string, claim: Claim): Promise<Claim>;
  owner(key: string): Promise<Claim | undefined>;
}

/** Gives an operator access to all claims. */
export interface ClaimStore {
  /** Returns the claims by key; none if there is no such bucket. @throws as `get` of a projection */
  all(): Promise<ReadonlyMap<string, Claim>>;
  /** Adds a claim. `lost` means that the authorization has an owner. */
  add(key: string, claim: Claim): Promise<'stored' | 'lost'>;
}

/** Says whether the log can be reached now. */
export interface LogHealth {
  connected(): boolean;
}

/** The tests as rows in memory, kept up to date from the log. */
export interface TestRows {
  /**
   * Returns the row of a test as this replica knows it now; `undefined` if the test is unknown, expired, or
   * past its deletion.
   *
   * @throws ServiceError `test_damaged` if its history is incomplete
   */
  peek(testId: string): Row | undefined;
  /**
   * Returns whether the test is in memory. If it is, `peek` does not throw, and `find` is not needed
   * afterwards.
   */
  has(testId: string): boolean;
  /** Calls the listener whenever the row of a test in memory has changed or is gone. */
  onRow(listener: (testId: string) => void): void;
  /**
   * Like `peek`, but reads the log at the leader if the test is not in memory, so that a fresh test never
   * seems unknown.
   *
   * @throws ServiceError `log_unavailable`, `test_damaged`
   */
  find(testId: string): Promise<Row | undefined>;
  /** Reads the log at the leader even if the test is in memory, for decisions. @throws as `find` */
  refresh(testId: string): Promise<Row | undefined>;
  /** Returns whether everything that was stored before the start has been folded. */
  caughtUp(): boolean;
  /** Returns whether the rows in memory may be seconds old although the leader can be asked. */
  isBehind(): boolean;
  /** Returns the number of tests per state whose end is not recorded yet, for the metrics. */
  population(): Readonly<Record<StatusName, number>>;
}
