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

/** Everything the checks may know of one mail: plain data, the same facts, the same report. */
export interface Facts {
  readonly testId: string;
  /** RFC 3339 with milliseconds; the only clock a check has. */
  readonly receivedAt: string;
  /** null: of a file that is judged where no report is kept. */
  readonly expiresAt: string | null;
  /** Of the mail below any provider block; known also when no part of it could be read. */
  readonly sizeBytes: number;
  readonly names: Names;
  readonly connection: ConnectionFacts & ListingFacts;
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  /** Signatures that `dkim` does not judge: the report lists every one. */
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
  /** null: none took the mail for us, or it put nothing on top. */
  readonly provider: ProviderFacts | null;
  /** Names that a fix may touch, where somebody or something else has a part in them. */
  readonly dnsNames?: Readonly<Record<string, DnsName>>;
  /** What lists of domains say; null: no answer in time; missing: none is configured. */
  readonly domainLists?: readonly AskedDomain[] | null;
  readonly webRisk: WebRiskFacts;
  /** What spam filters say; missing: none is set up. No check knows of it. */
  readonly filters?: readonly FilterFacts[] | undefined;
  /** Lookups that no check asks for, and limits that cut something off. */
  readonly partialErrors: readonly string[];
  /** Sentences for `notes`: what was cut, which URLs of DNS records were fetched. */
  readonly remarks: readonly string[];
}

export interface HeaderFacts extends FieldFacts, UnsubscribeFacts, LineFacts {
  readonly classification: Classification;
  /** What people write to each other, alone or on a list; judged without what receivers ask for. */
  readonly isLetter: boolean;
  readonly impersonation: readonly ImpersonationSign[];
}

export interface ContentFacts extends MimeFacts, TextFacts, HtmlFacts {
  readonly content: Content;
}
