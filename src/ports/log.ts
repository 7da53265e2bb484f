import type { Damage, MessageFault } from '../domain/chain.ts';
import type { Claim } from '../domain/payment-events.ts';
import type { Row, StatusName } from '../projection/row.ts';

/**
 * How an append ended. `lost`: another event came first, `seq` is its place; decide again.
 * `full`: the log takes no more for this subject or at all. `unknown`: the deadline passed without
 * an answer, the event may be stored or not.
 */
export type Appended =
  | { readonly outcome: 'appended' | 'lost'; readonly seq: number }
  | { readonly outcome: 'full' | 'unknown' };

/** An event with its place. `seq` is the sequence of the stream, not of the subject. */
export interface Recorded<E> {
  readonly id: string;
  readonly seq: number;
  /** When the log stored it, in milliseconds since 1970. */
  readonly time: number;
  readonly event: E;
  /** Sequence of the subject's message before it, as its writer expected it; 0: it is the first. */
  readonly after?: number;
}

/** A message that is no event, or whose reader threw. */
export interface Poison {
  readonly id: string;
  readonly seq: number;
  readonly fault: MessageFault;
}

/** A value in the form in which it is stored: its maker has checked it. */
export interface Encoded {
  readonly json: Uint8Array;
}

export type EncodedEvent = Encoded & { readonly id: string };

export const isEncoded = (value: object): value is Encoded =>
  'json' in value && value.json instanceof Uint8Array;

/** What there is of one subject, in order. */
export interface Remains<E> {
  readonly events: readonly Recorded<E>[];
  /** Why that is not the whole history; `undefined`: it is. */
  readonly damage: Damage | undefined;
  /** Sequence of the last message, event or not: what the next append expects; 0: there is none. */
  readonly end: number;
}

export interface FollowOptions<E> {
  /** Where to begin; without it, at the first message. */
  readonly from?: { readonly time: number } | { readonly seq: number };
  /** A message without such text is passed over unread, which takes half as long as reading it. */
  readonly containing?: RegExp | undefined;
  /** Called in order, one after another, once each. If it throws, the event counts as poison. */
  readonly onEvent: (recorded: Recorded<E>) => void;
  readonly onPoison?: (poison: Poison) => void;
}

export interface Following {
  /** Resolves when everything that was in the log at the beginning has been delivered. */
  readonly ready: Promise<void>;
  /** Events stored and not yet delivered, as last known. */
  lag(): number;
  /** The log can be asked, and may hold for seconds already what was not delivered. */
  isBehind(): boolean;
  stop(): Promise<void>;
}

/**
 * One log of one kind of event, a subject for each id: on JetStream in `adapters/nats/`, in memory
 * in the tests. Both pass one contract suite, event-log.ts.
 */
export interface EventLog<E> {
  /**
   * Appends one event if the last one of its subject is at `expectedSeq`; 0: the subject is empty.
   *
   * @param deadlineMs milliseconds after which the answer is `unknown`; 20,000 by default
   * @throws only for a defect or a misconfiguration. An outage is `unknown`.
   */
  append(id: string, event: E, expectedSeq: number, deadlineMs?: number): Promise<Appended>;

  /**
   * All events of one subject in order, read at the leader.
   *
   * @throws ServiceError `log_unavailable`; `test_damaged` when that is not the whole history
   */
  read(id: string): Promise<readonly Recorded<E>[]>;

  /**
   * As `read`, whole or not: to erase it, end it or show it.
   *
   * @throws ServiceError `log_unavailable`
   */
  readRemains(id: string): Promise<Remains<E>>;

  /**
   * The event at one sequence, read at the leader; `undefined` when it is gone.
   *
   * @throws ServiceError `log_unavailable`
   */
  readAt(seq: number): Promise<Recorded<E> | undefined>;

  /** How many messages there are of each subject, readable or not. @throws as `readAt` */
  counts(): Promise<ReadonlyMap<string, number>>;

  /** Delivers what is stored and what will be, across restarts of the server. */
  follow(options: FollowOptions<E>): Following;

  /**
   * Removes one message; an absent one counts as done. `secure` overwrites its bytes on disk.
   *
   * @throws ServiceError `log_unavailable`
   */
  erase(seq: number, how: 'secure' | 'plain'): Promise<void>;
}

/** A log that also takes events in their stored form. */
export interface EncodedLog<E> extends EventLog<E> {
  append(
    id: string,
    event: E | EncodedEvent,
    expectedSeq: number,
    deadlineMs?: number,
  ): Promise<Appended>;
}

/** A value derived from a log, with the sequence it was folded up to. */
export interface Projected {
  readonly seq: number;
}

/** A rebuildable view, a value a key. Never replaced by an older one. */
export interface Projection<V extends Projected> {
  /** @throws ServiceError `log_unavailable` */
  get(key: string): Promise<V | undefined>;
  /** Whether the key has a value, found out without reading it. @throws as `get` */
  has(key: string): Promise<boolean>;
  /** `skipped`: what is there is as new or newer. @throws ServiceError `log_unavailable` */
  put(key: string, value: V | (Encoded & Projected)): Promise<'written' | 'skipped'>;
  /** Removes the value and its bytes; absent counts as done. */
  erase(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Calls with each value there is, at the cost of a few requests. @throws as `get` */
  scan(onValue: (key: string, value: V) => void): Promise<void>;
}

/** One authorization, one report: created if absent, never changed or deleted, gone with its age. */
export interface Claims {
  /**
   * The owner after the attempt: ours, or the one that came first. Read at the leader.
   *
   * @throws ServiceError `log_unavailable`
   */
  claim(key: string, claim: Claim): Promise<Claim>;
  owner(key: string): Promise<Claim | undefined>;
}

/** The claims as a whole, for an operator. */
export interface ClaimStore {
  /** By key; none where there is no such bucket. @throws as `get` of a projection */
  all(): Promise<ReadonlyMap<string, Claim>>;
  /** `lost`: the authorization has an owner. */
  add(key: string, claim: Claim): Promise<'stored' | 'lost'>;
}

/** Whether the log can be reached now. */
export interface LogHealth {
  connected(): boolean;
}

/** The tests as rows in memory, fed by the log. */
export interface TestRows {
  /**
   * What this replica knows now; `undefined`: unknown, expired, or past its deletion.
   *
   * @throws ServiceError `test_damaged` when its history is not whole
   */
  peek(testId: string): Row | undefined;
  /** Whether it is in memory: `peek` neither throws nor has to be followed by `find`. */
  has(testId: string): boolean;
  /** Calls back whenever what is in memory of a test has changed, or is gone. */
  onRow(listener: (testId: string) => void): void;
  /**
   * As `peek`, and a miss reads the log at the leader: a fresh test never seems unknown.
   *
   * @throws ServiceError `log_unavailable`, `test_damaged`
   */
  find(testId: string): Promise<Row | undefined>;
  /** Reads the log at the leader even when a row is there: for decisions. @throws as `find` */
  refresh(testId: string): Promise<Row | undefined>;
  /** Everything that was stored before the start has been folded. */
  caughtUp(): boolean;
  /** What is in memory may be seconds old, and the leader can be asked. */
  isBehind(): boolean;
  /** Tests by state whose end is not recorded yet, for the gauges. */
  population(): Readonly<Record<StatusName, number>>;
}
