import type { HostTls, Tlsa } from '../analysis/doors/facts.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';

/** One mail host (MX) of a domain. */
export interface VisitedHost {
  readonly host: string;
  readonly addresses: readonly string[];
  /** Names that a certificate may be for besides, where a TLSA record names its authority (RFC 7672 §3.2.2). */
  readonly names: readonly string[];
  /** Those that DNSSEC proves and that senders can use. */
  readonly tlsa: readonly Tlsa[];
}

/** STARTTLS of a mail host, by one connection to its port 25 that sends no mail. Never rejects. */
export type VisitMailHost = (host: VisitedHost) => Promise<LookupResult<HostTls>>;
