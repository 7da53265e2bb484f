import type { TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Recorded } from '../../../src/ports/log.ts';
import type { Durations } from '../../../src/projection/deadlines.ts';
import type { StatusName } from '../../../src/projection/row.ts';

/** What a client may learn of a test: a status, or that the test is unknown (404). */
export type Seen = StatusName | 'absent';

/** Something that was asked and answered. What got no answer, or 5xx, promises nothing. */
interface Asked {
  readonly testId: string;
  /** Whom it was asked of. */
  readonly replica: string;
  /** When the request was sent and its answer read, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export type Operation =
  | (Asked & { readonly kind: 'created'; readonly tokenSha256: string })
  /** One of `seen` was said to be so. */
  | (Asked & { readonly kind: 'polled'; readonly seen: readonly Seen[] })
  /** The reply to a mail: 250 with a report, 250 without one, 5xx by the gate. */
  | (Asked & { readonly kind: 'mailed'; readonly reply: 'analysed' | 'failed' | 'refused' })
  /** The report was given: its hash, whatever the order of its members. */
  | (Asked & { readonly kind: 'read'; readonly report: string })
  /** The report was not given, for want of payment. */
  | (Asked & { readonly kind: 'challenged' })
  /** 409 `sale_closed` for the report: it is too near its end to be sold. */
  | (Asked & { readonly kind: 'withheld' })
  /** 204: the test and what belongs to it is deleted. */
  | (Asked & { readonly kind: 'deleted' });

/** Any answer of any call, as it was given; of one that was not answered, that. */
export interface Answer {
  readonly call: string;
  readonly replica: string;
  readonly at: number;
  /** Status and code; `no answer`. */
  readonly text: string;
  /** Whether it has `Retry-After`. */
  readonly isPatient: boolean;
}

/** A transaction that was sent to the chain. */
export interface Broadcast {
  readonly transaction: string;
  readonly time: number;
}

export type OperationOf<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

/** A report as it is in the log. */
export interface KeptReport {
  readonly id: string;
  readonly seq: number;
  /** As `AnalysisDone` names it. */
  readonly sha256: string;
  /** As `read` has it. */
  readonly report: string;
}

/** Something was broken on purpose, until everything had recovered. */
export interface Fault {
  readonly name: string;
  /**
   * `outage`: something was away or slow, so that replicas may be behind, and late. `clock`, `lie` and
   * `crowd`: a wall clock was set, a node lied, many came at once. That excuses nothing.
   */
  readonly kind: 'outage' | 'clock' | 'lie' | 'crowd';
  readonly from: number;
  readonly to: number;
}

/** The price of a report reached the payee. */
export interface Transfer {
  readonly transaction: string;
  /** Of its block, in milliseconds since 1970. */
  readonly time: number;
}

/** The log, read once more. */
export interface Kept {
  /** When the reading began and ended. */
  readonly from: number;
  readonly to: number;
  /** The event's id by its sequence. */
  readonly ids: ReadonlyMap<number, string>;
}

/** All that is known of a round: what clients were answered, and what the log holds. */
export interface History {
  readonly durations: Durations;
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
  /** Every event there was, as an observer saw it, in the order of the log. */
  readonly events: readonly Recorded<TestEvent>[];
  readonly payments: readonly Recorded<PaymentEvent>[];
  readonly reports: readonly KeptReport[];
  /** What the chain says. */
  readonly transfers: readonly Transfer[];
  readonly broadcasts: readonly Broadcast[];
  readonly answers: readonly Answer[];
  /** What clients asked for and had no end. */
  readonly stuck: readonly string[];
  /** The logs of the replicas, and what must not be in them. */
  readonly lines: readonly string[];
  readonly secrets: readonly string[];
  /** Where replicas answered differently about a test, in the end. */
  readonly unlike: readonly string[];
  /** What was in the log when the faults were over. */
  readonly kept: Kept;
  /** When the round was over, in milliseconds since 1970. */
  readonly endedAt: number;
}

/** Something that must not be. */
export interface Violation {
  readonly rule: string;
  readonly testId: string;
  readonly text: string;
}
