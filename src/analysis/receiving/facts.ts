/** Facts about how well the domain can receive mail. */

import type { LookupResult } from '../lookup-result.ts';

/** The state of DNSSEC for a name: proved, never signed, or signed but not provable. */
export type Signed = 'secure' | 'insecure' | 'bogus';

/** A TLSA record (RFC 6698 §2.1), with its data in hex. */
export interface Tlsa {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  readonly data: string;
}

/** The result of a connection to a mail host. */
export interface HostTls {
  /** Such as `TLSv1.3`. Null if no TLS was established. */
  readonly version: string | null;
  /**
   * Why there is no TLS, or why the certificate is not valid for the name (RFC 8461 §4.2). Null if nothing is
   * wrong.
   */
  readonly fault: string | null;
  /** True if a TLSA record names the certificate. Null if DNSSEC proves no record that senders can use. */
  readonly named: boolean | null;
}

/** The records that other servers look up before they send mail to the domain. */
export interface ReceivingFacts {
  /** DNSSEC of the domain's MX records and of its hosts' addresses. A missing host is unknown. */
  readonly dnssec: LookupResult<{
    readonly domain: Signed;
    readonly hosts: Readonly<Record<string, Signed>>;
  }>;
  /**
   * TLSA records of each MX host, if DNSSEC proves both the host and the MX. Without that proof, TLSA means
   * nothing (RFC 7672 §2.2).
   */
  readonly tlsa: Readonly<Record<string, LookupResult<readonly Tlsa[]>>>;
  /** Each name server, and whether it has an IPv6 address. */
  readonly nameServers: Readonly<Record<string, LookupResult<boolean>>>;
  /**
   * Results for the first MX hosts. Null if none responded in time. Undefined if connections are turned off.
   */
  readonly starttls?: Readonly<Record<string, LookupResult<HostTls>>> | null | undefined;
}
