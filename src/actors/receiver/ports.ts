/**
 * Declares the dependencies and settings of the email receiver, and what it knows about a mail transaction.
 */

import type { TestEvent } from '../../domain/events.ts';
import type { Holder, RecentBytes } from '../../domain/fairness/shares.ts';
import type { MailVerdict } from '../../domain/replies.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { EventLog, LogHealth, TestRows } from '../../ports/log.ts';
import type { AnalyzeMail, MailEnvelope } from '../../ports/mail.ts';
import type { Traces } from '../../ports/traces.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { MailBuffer, Reservation, WaitingMail } from './mail-buffer.ts';

export interface ReceiverPorts {
  readonly tests: EventLog<TestEvent>;
  readonly rows: TestRows;
  readonly health: LogHealth;
  readonly analyze: AnalyzeMail;
  readonly mailBuffer: MailBuffer;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly replica: string;
  readonly logger: Logger;
  readonly traces?: Traces | undefined;
  /** Counts emails by outcome. */
  readonly mails: { inc(labels: { readonly outcome: string }): void };
}

export interface ReceiverSettings {
  readonly mailDomain: string;
  readonly contactEmail: string | null;
  readonly maxMessageBytes: number;
  /** Maximum number of emails that have arrived in full and wait for their verdict. */
  readonly maxAnalyses: number;
  readonly refusalTimeoutSeconds: number;
  readonly analysisTimeoutSeconds: number;
  /** Returns the URL of this service, without a slash at the end. */
  readonly baseUrl: () => string;
}

/** Facts about an email once its recipient is accepted. */
export interface Transaction extends Holder {
  readonly testId: string;
  readonly envelope: MailEnvelope;
  readonly created: WaitingMail['created'];
  readonly sent: RecentBytes;
  /** Null if the test is already used and the email is read only to recognize a retry. */
  reservation: Reservation | null;
  /** True if the final dot of the email has arrived. */
  isWhole: boolean;
  /** The reply to an email that was given up; null if it was not. */
  gaveWay: MailVerdict | null;
}
