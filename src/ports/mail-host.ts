/** Declares the port through which the TLS of a domain's mail hosts is tried. */

import type { LookupResult } from '../analysis/lookup-result.ts';
import type { HostTls, Tlsa } from '../analysis/receiving/facts.ts';

/** A mail host (MX) of a domain. */
export interface VisitedHost {
  readonly host: string;
  readonly addresses: readonly string[];
  /**
   * Other names that the certificate may be issued for, if a TLSA record names its authority (RFC 7672
   * §3.2.2).
   */
  readonly names: readonly string[];
  /** The records that DNSSEC proves and that senders can use. */
  readonly tlsa: readonly Tlsa[];
}

/** Tries STARTTLS at a mail host, with one connection to its port 25 that sends no email. Never rejects. */
export type VisitMailHost = (host: VisitedHost) => Promise<LookupResult<HostTls>>;
