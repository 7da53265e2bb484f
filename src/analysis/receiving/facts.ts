import type { LookupResult } from '../lookup-result.ts';

/** What DNSSEC says of a name: proved, never signed, or signed and not provable. */
export type Signed = 'secure' | 'insecure' | 'bogus';

/** A TLSA record (RFC 6698 §2.1), with its data in hex. */
export interface Tlsa {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  readonly data: string;
}

/** What a mail host showed to a connection. */
export interface HostTls {
  /** Such as `TLSv1.3`; null: no TLS comes about. */
  readonly version: string | null;
  /** Why there is no TLS, or why the certificate is not valid for the name (RFC 8461 §4.2); null: all is well. */
  readonly fault: string | null;
  /** Whether a TLSA record names the certificate; null: none that senders can use is proved. */
  readonly named: boolean | null;
}

/** How others come to the domain: what they look up before they send to it. */
export interface ReceivingFacts {
  /** Of the domain's MX records and the addresses of its hosts; a host that is missing is not known. */
  readonly dnssec: LookupResult<{
    readonly domain: Signed;
    readonly hosts: Readonly<Record<string, Signed>>;
  }>;
  /** Of each MX host that is proved as the MX is. Below others it means nothing (RFC 7672 §2.2). */
  readonly tlsa: Readonly<Record<string, LookupResult<readonly Tlsa[]>>>;
  /** Whether each name server has an IPv6 address. */
  readonly nameServers: Readonly<Record<string, LookupResult<boolean>>>;
  /** Of the first MX hosts. null: no answer in time; undefined: no connection is opened here. */
  readonly starttls?: Readonly<Record<string, LookupResult<HostTls>>> | null | undefined;
}
