import type { DkimSignature } from '../domain/report/authentication.ts';
import type { Classification, Content } from '../domain/report/message.ts';
import type { ArcFacts } from './arc/facts.ts';
import type { BimiFacts } from './bimi/facts.ts';
import type { ConnectionFacts } from './connection/facts.ts';
import type { DkimFacts } from './dkim/facts.ts';
import type { DmarcFacts } from './dmarc/facts.ts';
import type { FilterFacts } from './filters/facts.ts';
import type { FieldFacts } from './headers/facts.ts';
import type { HtmlFacts } from './html/facts.ts';
import type { ImpersonationSign } from './impersonation/facts.ts';
import type { LinkFacts, WebRiskFacts } from './links/facts.ts';
import type { LookupResult } from './lookup-result.ts';
import type { LineFacts, MimeFacts } from './mime/facts.ts';
import type { DnsName, Names } from './names/facts.ts';
import type { ProviderFacts } from './provider/facts.ts';
import type { ReceivingFacts } from './receiving/facts.ts';
import type { AskedDomain, ListingFacts } from './reputation/facts.ts';
import type { RouteFacts } from './route/facts.ts';
import type { SpfFacts } from './spf/facts.ts';
import type { TextFacts } from './text/facts.ts';
import type { TransportFacts } from './transport/facts.ts';
import type { UnsubscribeFacts } from './unsubscribe/facts.ts';

/**
 * Everything that the checks can know about one email, as plain data. The same facts always give the same
 * findings.
 */
export interface Facts {
  readonly testId: string;
  /** The time at which the email arrived, in RFC 3339 (UTC). */
  readonly receivedAt: string;
  /**
   * The time at which the report is deleted, in RFC 3339 (UTC). Null for an email from a file, because no
   * report on it is kept.
   */
  readonly expiresAt: string | null;
  /**
   * Size of the email in bytes, without the fields that a mail provider added on arrival. Known even if no
   * part of the email could be read.
   */
  readonly sizeBytes: number;
  readonly names: Names;
  readonly connection: ConnectionFacts & ListingFacts;
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  /** Signatures that the report lists although `dkim` does not judge them. */
  readonly uncheckedSignatures?: readonly DkimSignature[];
  readonly dmarc: LookupResult<DmarcFacts>;
  readonly arc: LookupResult<ArcFacts>;
  readonly bimi: LookupResult<BimiFacts>;
  readonly transport: TransportFacts;
  readonly receiving: ReceivingFacts;
  readonly headers: LookupResult<HeaderFacts>;
  readonly content: LookupResult<ContentFacts>;
  readonly links: LookupResult<LinkFacts>;
  readonly route: LookupResult<RouteFacts>;
  /**
   * Facts reported by the mail provider that received the email for us. Null if there was no such
   * provider, or if it added no fields.
   */
  readonly provider: ProviderFacts | null;
  /**
   * DNS names that a fix may change and that depend on an alias, a wildcard or someone else's name servers.
   */
  readonly dnsNames?: Readonly<Record<string, DnsName>>;
  /** Answers of domain blocklists. Null if none came in time. Absent if no list is configured. */
  readonly domainLists?: readonly AskedDomain[] | null;
  readonly webRisk: WebRiskFacts;
  /** Results of spam filters, which no check uses. Absent if no filter is set up. */
  readonly filters?: readonly FilterFacts[] | undefined;
  /** Errors of lookups that no check needs, and limits that cut something off. */
  readonly partialErrors: readonly string[];
  /** Sentences for `notes`: what was cut off, and which URLs from DNS records were fetched. */
  readonly remarks: readonly string[];
}

export interface HeaderFacts extends FieldFacts, UnsubscribeFacts, LineFacts {
  readonly classification: Classification;
  /**
   * True if a person wrote the email, either directly to others or on a mailing list. The requirements for
   * bulk senders do not apply to such an email.
   */
  readonly isLetter: boolean;
  /**
   * True if the email passes on what people or programs wrote, as a mailing list or a tracker of code and
   * errors does.
   */
  readonly passesOn: boolean;
  readonly impersonation: readonly ImpersonationSign[];
}

export interface ContentFacts extends MimeFacts, TextFacts, HtmlFacts {
  readonly content: Content;
}
