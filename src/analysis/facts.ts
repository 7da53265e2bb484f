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
 * Everything that the checks may know about one email. It is plain data, and the same facts give the same
 * report.
 */
export interface Facts {
  readonly testId: string;
  /** Null for an email from a file, because its report is not kept. */
  readonly receivedAt: string;
  /** Null for a file, of which no report is kept. */
  readonly expiresAt: string | null;
  /** Size of the email below any provider block. Known even if no part of the email could be read. */
  readonly sizeBytes: number;
  readonly names: Names;
  readonly connection: ConnectionFacts & ListingFacts;
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  /** Signatures that `dkim` does not judge. The report lists every signature. */
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
  /** Null if no provider received the email for us, or if it added no fields. */
  readonly provider: ProviderFacts | null;
  /** Names that a fix may change and in which someone else, a wildcard or an alias is also involved. */
  readonly dnsNames?: Readonly<Record<string, DnsName>>;
  /** Answers of domain lists. Null if none came in time; absent if no list is configured. */
  readonly domainLists?: readonly AskedDomain[] | null;
  readonly webRisk: WebRiskFacts;
  /** Results of spam filters. Absent if none is set up. No check knows about them. */
  readonly filters?: readonly FilterFacts[] | undefined;
  /** Lookups that no check needs, and limits that cut something off. */
  readonly partialErrors: readonly string[];
  /** Sentences for `notes`: what was cut, and which URLs from DNS records were fetched. */
  readonly remarks: readonly string[];
}

export interface HeaderFacts extends FieldFacts, UnsubscribeFacts, LineFacts {
  readonly classification: Classification;
  /**
   * People wrote the email themselves, to each other directly or on a mailing list. Such email is not judged
   * by what receivers require of bulk senders.
   */
  readonly isLetter: boolean;
  readonly impersonation: readonly ImpersonationSign[];
}

export interface ContentFacts extends MimeFacts, TextFacts, HtmlFacts {
  readonly content: Content;
}
