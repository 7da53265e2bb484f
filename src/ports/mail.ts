/**
 * Declares the ports through which emails are received (by SMTP or from an inbound provider), inspected, and
 * analysed.
 */

import type { ConnectionFacts } from '../analysis/connection/facts.ts';
import type { Facts } from '../analysis/facts.ts';
import type { GateFacts } from '../analysis/gate.ts';
import type { ReadBlock } from '../analysis/provider/provider.ts';
import type { ProviderName, RefusalReason } from '../domain/events.ts';
import type { MailVerdict } from '../domain/replies.ts';
import type { Grade } from '../domain/report/report.ts';
import type { ReportJson } from '../domain/stored-report.ts';
import type { Resolver } from './dns.ts';

/**
 * The client as the SMTP session (or the provider's trace header) shows it: `ip` is in canonical form, or
 * null if unknown; `helo` is empty if it was stated but must not be shown.
 */
export type ClientFacts = Pick<ConnectionFacts, 'ip' | 'helo' | 'source' | 'namedBy' | 'tls'>;

/** A provider's trace headers above the sender's own, as read from the message. */
export type ProviderBlock = Omit<ReadBlock, 'client'>;

/** The sender, as the transaction stated it. The local part stays in memory, because SPF macros need it. */
export interface EnvelopeFrom {
  /** The part before the `@`; empty for the null sender. */
  readonly localPart: string;
  readonly domain: string;
  readonly smtputf8: boolean;
}

/** An email from RCPT on. The lookups that need only the transaction are in progress. */
export interface Inspection {
  /**
   * Reads the email in a worker and returns what the verdict needs. Takes over the buffer, which is zeroed in
   * the worker, or in this thread at `end`.
   *
   * @throws Overloaded if something is missing because of us
   */
  read(mail: Uint8Array<ArrayBuffer>, block?: ProviderBlock): Promise<InspectedMail>;
}

/** An email at end of data. Everything else that the report needs is already in progress. */
export interface InspectedMail {
  readonly gate: GateFacts;
  /**
   * Waits a moment for lookups that the verdict did not need.
   *
   * @throws Overloaded as `facts` does
   */
  awaitLookups(): Promise<void>;
  /**
   * Resolves to everything that the report needs, at most 25 s after the end of data. `lost` means that a
   * part of the email could not be read.
   *
   * @throws Overloaded if something is missing because of us
   */
  facts(arrival: ArrivalTimes): Promise<Facts | 'lost'>;
  /** Stops what is still running and overwrites the bytes of the email. */
  end(): void;
}

/** Begins the lookups that need only the connection and the envelope. */
export type Inspect = (about: {
  readonly testId: string;
  readonly mailDomain: string;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  /** The DNS as this email sees it. Default: a new view. */
  readonly resolver?: Resolver;
}) => Inspection;

/** Times of an arrival that is durable, in RFC 3339. */
export interface ArrivalTimes {
  readonly receivedAt: string;
  /** When the report is deleted; null if it is not kept. */
  readonly expiresAt: string | null;
}

/** An email at the end of its data, with what its transaction stated. */
export interface MailToAnalyze {
  readonly testId: string;
  readonly mailDomain: string;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  /** The digest by which a retry is recognized. */
  readonly digest: string;
  readonly block?: ProviderBlock | undefined;
  /** The resolver, as for `Inspect`. */
  readonly resolver?: Resolver;
  /** The bytes of the email, which are taken over, and overwritten once they have been read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The gate's decision on an email. */
export interface GateVerdict {
  /**
   * The reasons for refusing the email, in the order in which a reply names them. Empty if the email is
   * accepted.
   */
  readonly reasons: readonly RefusalReason[];
  readonly headerFromDomain: string | null;
  /** True if our resolver answered nothing, so that nothing may be concluded. */
  readonly resolverDown: boolean;
}

/** A report as it is stored. */
export interface FinishedReport {
  readonly json: ReportJson;
  readonly sha256: string;
  readonly score: number;
  readonly grade: Grade;
  /** When the email was analysed, in RFC 3339. */
  readonly analyzedAt: string;
}

/** An email that the gate has judged, accepted or not. Its report is in progress. */
export interface AnalyzedMail {
  readonly gate: GateVerdict;
  /**
   * Resolves to the report, at most 25 s after a worker began. The content is read only now. `lost` means
   * that the email ended its worker twice, or that a part of it could not be read.
   *
   * @throws Overloaded if something is missing because of us
   * @throws WorkerLost if the worker ended, for the first time
   */
  report(arrival: ArrivalTimes): Promise<FinishedReport | 'lost'>;
  /** Stops what is still running and overwrites the bytes of the email. */
  end(): void;
}

/**
 * Analyses one email.
 *
 * @throws Overloaded also if no worker was free within 15 s
 * @throws WorkerLost as `report` does
 */
export type AnalyzeMail = (mail: MailToAnalyze) => Promise<AnalyzedMail>;

/** An incoming email, as its protocol describes it before the content. */
export interface MailEnvelope {
  /** The recipient as given. `domain` is ASCII in lower case, and empty only for `<postmaster>`. */
  readonly to: { readonly localPart: string; readonly domain: string };
  readonly from: EnvelopeFrom;
  readonly client: ClientFacts;
  /** The size that the sender announced; null if it announced none. */
  readonly declaredBytes: number | null;
  readonly source: 'smtp' | ProviderName;
}

/** Receives the content of an email whose recipient was accepted. Call one of the two methods, once. */
export interface Reception {
  /**
   * Reads the content to its end and resolves when the outcome is durable. `null` means that the content
   * broke off: nothing has happened, and nobody waits for a reply. Never rejects.
   *
   * @param block the provider's headers at the beginning of the content; what counts is below them
   */
  receive(content: AsyncIterable<Uint8Array>, block?: ProviderBlock): Promise<MailVerdict | null>;
  /** Call this if the content will not arrive: it frees the reservation and stops the lookups. */
  abandon(): void;
}

/** Called when an incomplete email is given up in favour of others, with the reply for its sender. */
export type GiveWay = (reason: MailVerdict) => void;

/** Accepts emails for tests. It knows no protocol: an adapter puts its verdicts into words. */
export interface Receiver {
  /**
   * Decides on the recipient. Resolves to a reservation for the content, or to the reason why there is none.
   * Never rejects.
   */
  accept(envelope: MailEnvelope, onGiveWay?: GiveWay): Promise<Reception | MailVerdict>;
}

/** An email as an inbound provider delivers it. */
export interface InboundMail {
  /** The address of the sender as the provider states it. Empty or `<>` is the null sender. */
  readonly from: string;
  readonly to: string;
  readonly declaredBytes: number | null;
  /** The provider's header block, followed by the sender's own bytes. A chunk is overwritten once used. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Accepts emails that an inbound provider received for us. */
export interface Inbound {
  /**
   * Resolves as `Reception` does: when the outcome is durable, or to `null` if the content broke off. Never
   * rejects.
   */
  receive(mail: InboundMail): Promise<MailVerdict | null>;
}
