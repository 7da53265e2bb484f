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
 * The client as the SMTP session (or the provider's trace header) shows it: `ip` in canonical form, null:
 * not known; `helo` empty: stated, and not fit to be shown.
 */
export type ClientFacts = Pick<ConnectionFacts, 'ip' | 'helo' | 'source' | 'namedBy' | 'tls'>;

/** A provider's trace headers above the sender's own, read from the mail. */
export type ProviderBlock = Omit<ReadBlock, 'client'>;

/** Who sent the mail, as the transaction stated. The local part stays in memory: SPF macros need it. */
export interface EnvelopeFrom {
  /** Empty for the null sender. */
  readonly localPart: string;
  readonly domain: string;
  readonly smtputf8: boolean;
}

/** One mail from its RCPT on: the lookups that need only the transaction are under way. */
export interface Inspection {
  /**
   * Reads the mail in a worker and gives what the verdict needs. Takes the buffer over: it is zeroed
   * there, or here at `end`.
   *
   * @throws Overloaded when something is missing by our fault
   */
  read(mail: Uint8Array<ArrayBuffer>, block?: ProviderBlock): Promise<InspectedMail>;
}

/** A mail at its end of data; what the report needs besides is under way. */
export interface InspectedMail {
  readonly gate: GateFacts;
  /**
   * Waits a moment for lookups that the verdict did not need.
   *
   * @throws Overloaded as `facts` does
   */
  awaitLookups(): Promise<void>;
  /**
   * Everything for the report, 25 s after the end of data at the latest. `lost`: a part of the mail could
   * not be read.
   *
   * @throws Overloaded when something is missing by our fault
   */
  facts(arrival: ArrivalTimes): Promise<Facts | 'lost'>;
  /** Stops what still runs and overwrites the mail's bytes. */
  end(): void;
}

/** Begins the lookups that need only the connection and the envelope. */
export type Inspect = (about: {
  readonly testId: string;
  readonly mailDomain: string;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  /** The DNS as this mail sees it; by default a new view. */
  readonly resolver?: Resolver;
}) => Inspection;

/** Of the durable arrival, RFC 3339. */
export interface ArrivalTimes {
  readonly receivedAt: string;
  /** When the report is deleted; null: it is not kept. */
  readonly expiresAt: string | null;
}

/** A mail at the end of its data, and what its transaction stated. */
export interface MailToAnalyze {
  readonly testId: string;
  readonly mailDomain: string;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
  /** By which a retry is recognised. */
  readonly digest: string;
  readonly block?: ProviderBlock | undefined;
  /** As `Inspect`'s. */
  readonly resolver?: Resolver;
  /** Taken over, and overwritten once it has been read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What the gate says of a mail. */
export interface GateVerdict {
  /** Why it is to be refused, in the order in which a reply names them; none: it is taken. */
  readonly reasons: readonly RefusalReason[];
  readonly headerFromDomain: string | null;
  /** Nothing was answered, by our fault: nothing may be concluded. */
  readonly resolverDown: boolean;
}

/** A report as it is stored. */
export interface FinishedReport {
  readonly json: ReportJson;
  readonly sha256: string;
  readonly score: number;
  readonly grade: Grade;
  /** RFC 3339. */
  readonly analyzedAt: string;
}

/** A mail whose gate has been judged; its report is under way. */
export interface AnalyzedMail {
  readonly gate: GateVerdict;
  /**
   * The report, 25 s after a worker began at the latest; the content is read from now on. `lost`: the
   * mail has ended its worker twice, or a part of it could not be read.
   *
   * @throws Overloaded when something is missing by our fault
   * @throws WorkerLost when the worker ended, for the first time
   */
  report(arrival: ArrivalTimes): Promise<FinishedReport | 'lost'>;
  /** Stops what still runs and overwrites the mail's bytes. */
  end(): void;
}

/**
 * Analyses one mail.
 *
 * @throws Overloaded also when no worker was free within 15 s
 * @throws WorkerLost as `report` does
 */
export type AnalyzeMail = (mail: MailToAnalyze) => Promise<AnalyzedMail>;

/** One mail on its way in, as its protocol states it before the content. */
export interface MailEnvelope {
  /** As given. `domain` is ASCII in lower case; empty: `<postmaster>` alone. */
  readonly to: { readonly localPart: string; readonly domain: string };
  readonly from: EnvelopeFrom;
  readonly client: ClientFacts;
  /** Size as the sender announces it; null: not announced. */
  readonly declaredBytes: number | null;
  readonly source: 'smtp' | ProviderName;
}

/** The content of a mail whose recipient was accepted. One of the two is called, once. */
export interface Reception {
  /**
   * Reads the content to its end and answers when the answer is durable. `null`: it broke off
   * before its end, nothing has happened and nobody waits for an answer. Never rejects.
   *
   * @param block the provider's headers that the content begins with; what counts is below them
   */
  receive(content: AsyncIterable<Uint8Array>, block?: ProviderBlock): Promise<MailVerdict | null>;
  /** The content will not come: frees what was reserved and stops the lookups. */
  abandon(): void;
}

/** Called when a mail that has not come whole is given up for others, with what its sender is told. */
export type GiveWay = (reason: MailVerdict) => void;

/** Takes mails for tests. Knows no protocol: an adapter words its verdicts. */
export interface Receiver {
  /** The answer to the recipient: a reservation for the content, or why not. Never rejects. */
  accept(envelope: MailEnvelope, onGiveWay?: GiveWay): Promise<Reception | MailVerdict>;
}

/** One mail as an inbound provider hands it over. */
export interface InboundMail {
  /** Addresses as the provider states them; empty or `<>`: the null sender. */
  readonly from: string;
  readonly to: string;
  readonly declaredBytes: number | null;
  /** The provider's header block, then the sender's own bytes. A chunk is overwritten once used. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Takes mails that an inbound provider received for us. */
export interface Inbound {
  /** As `Reception`: the answer is durable; `null`: the content broke off. Never rejects. */
  receive(mail: InboundMail): Promise<MailVerdict | null>;
}
