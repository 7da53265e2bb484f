/** Defines what is known about a round: the responses to clients, and the contents of the log. */

import type { TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Recorded } from '../../../src/ports/log.ts';
import type { Durations } from '../../../src/projection/deadlines.ts';
import type { StatusName } from '../../../src/projection/row.ts';

/** A client's view of a test: a status, or that the test is unknown (404). */
export type Seen = StatusName | 'absent';

/** A request with its response. Without a response, or with a 5xx, nothing is promised. */
interface Asked {
  readonly testId: string;
  /** The replica that was asked. */
  readonly replica: string;
  /** When the request was sent and its response read, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export type Operation =
  | (Asked & { readonly kind: 'created'; readonly tokenSha256: string })
  /** A poll was answered with one of the statuses in `seen`. */
  | (Asked & { readonly kind: 'polled'; readonly seen: readonly Seen[] })
  /** The reply to an email: 250 with a report, 250 without one, or 5xx by the gate. */
  | (Asked & { readonly kind: 'mailed'; readonly reply: 'analysed' | 'failed' | 'refused' })
  /** The report was returned: its hash, whatever the order of its members. */
  | (Asked & { readonly kind: 'read'; readonly report: string })
  /** The report was not returned, because no payment came. */
  | (Asked & { readonly kind: 'challenged' })
  /** 409 `sale_closed` for the report, which is too near its end to be sold. */
  | (Asked & { readonly kind: 'withheld' })
  /** 204: the test and everything that belongs to it is deleted. */
  | (Asked & { readonly kind: 'deleted' });

/** Any response to any call, as it was given, or that there was none. */
export interface Answer {
  readonly call: string;
  readonly replica: string;
  readonly at: number;
  /** Status and code, or `no answer`. */
  readonly text: string;
  /** True if the response has `Retry-After`. */
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
  /** Hash of the report in the form of `AnalysisDone`. */
  readonly sha256: string;
  /** Hash of the report in the form of `read`. */
  readonly report: string;
}

/** A period in which something was broken on purpose, until everything had recovered. */
export interface Fault {
  readonly name: string;
  /**
   * `outage` means that something was unavailable or slow, so that replicas may be behind, and late. `clock`,
   * `lie` and `crowd` mean that a wall clock was set, that a node lied, and that many came at once, which
   * excuse nothing.
   */
  readonly kind: 'outage' | 'clock' | 'lie' | 'crowd';
  readonly from: number;
  readonly to: number;
}

/** A transfer in which the price of a report reached the payee. */
export interface Transfer {
  readonly transaction: string;
  /** Time of its block, in milliseconds since 1970. */
  readonly time: number;
}

/** The contents of the log, read once more at the end. */
export interface Kept {
  /** When the reading began and ended. */
  readonly from: number;
  readonly to: number;
  /** Ids of events by their sequences. */
  readonly ids: ReadonlyMap<number, string>;
}

/** Everything that is known about a round: the responses to clients, and the contents of the log. */
export interface History {
  readonly durations: Durations;
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
  /** Every event there was, as an observer saw it, in the order of the log. */
  readonly events: readonly Recorded<TestEvent>[];
  readonly payments: readonly Recorded<PaymentEvent>[];
  readonly reports: readonly KeptReport[];
  /** The payments on the chain. */
  readonly transfers: readonly Transfer[];
  readonly broadcasts: readonly Broadcast[];
  readonly answers: readonly Answer[];
  /** Requests of clients that never ended. */
  readonly stuck: readonly string[];
  /** The log lines of the replicas. No line may contain a text of `secrets`. */
  readonly lines: readonly string[];
  readonly secrets: readonly string[];
  /** Descriptions of tests about which the replicas responded differently in the end. */
  readonly unlike: readonly string[];
  /** The contents of the log when the faults were over. */
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
