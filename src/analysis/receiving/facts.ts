/** Facts about how well the From domain can receive mail: its DNSSEC, DANE, IPv6 and TLS. */

import type { LookupResult } from '../lookup-result.ts';

/** The DNSSEC state of a name: proved, not signed, or signed but not provable. */
export type Signed = 'secure' | 'insecure' | 'bogus';

/** A TLSA record (RFC 6698 §2.1), with its data in hex. */
export interface Tlsa {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  readonly data: string;
}

/** The TLS and the certificate that a mail host offered in a connection. */
export interface HostTls {
  /** TLS version, such as `TLSv1.3`. Null if no TLS was established. */
  readonly version: string | null;
  /**
   * The reason why there is no TLS, or why the certificate is not valid for the name (RFC 8461 §4.2). Null if
   * nothing is wrong.
   */
  readonly fault: string | null;
  /**
   * True if a TLSA record matches the certificate. Null if DNSSEC proves no TLSA record that senders can use.
   */
  readonly named: boolean | null;
}

/** Facts about the records and hosts that other servers rely on when they send mail to the From domain. */
export interface ReceivingFacts {
  /**
   * DNSSEC state of the domain's MX records and of its hosts' addresses. The state of a host that is missing
   * is unknown.
   */
  readonly dnssec: LookupResult<{
    readonly domain: Signed;
    readonly hosts: Readonly<Record<string, Signed>>;
  }>;
  /**
   * TLSA records of each MX host for which DNSSEC proves both the MX and the host. Without that proof, TLSA
   * means nothing (RFC 7672 §2.2).
   */
  readonly tlsa: Readonly<Record<string, LookupResult<readonly Tlsa[]>>>;
  /** For each name server, true if it has an IPv6 address. */
  readonly nameServers: Readonly<Record<string, LookupResult<boolean>>>;
  /**
   * TLS results for the first MX hosts. Null if none responded in time. Undefined if connections are turned
   * off.
   */
  readonly starttls?: Readonly<Record<string, LookupResult<HostTls>>> | null | undefined;
}
