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

/** How others come to the domain: what they look up before they send to it. */
export interface DoorFacts {
  /** Of the domain's MX records and the addresses of its hosts; a host that is missing is not known. */
  readonly dnssec: LookupResult<{
    readonly domain: Signed;
    readonly hosts: Readonly<Record<string, Signed>>;
  }>;
  /** Of each MX host whose addresses are proved. Below others it means nothing (RFC 7672 §2.2). */
  readonly tlsa: Readonly<Record<string, LookupResult<readonly Tlsa[]>>>;
  /** Whether each name server has an IPv6 address. */
  readonly nameServers: Readonly<Record<string, LookupResult<boolean>>>;
}
