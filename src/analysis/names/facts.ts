import type { LookupResult } from '../lookup-result.ts';

/** The names that findings and fixes speak of. Lower case, ASCII (A-labels). */
export interface Names {
  readonly fromDomain: string | null;
  /** By the tree walk; by the Public Suffix List where DNS gave no answer. */
  readonly fromOrganizationalDomain: string | null;
  /** Of the domain that the sender registered; empty: not known. */
  readonly nameServers: readonly string[];
  /** Empty envelope: the HELO name (RFC 7208 §2.4). */
  readonly envelopeDomain: string;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly ip: string | null;
  /** The From domain exists (RFC 9989: no NXDOMAIN). */
  readonly fromDomainExists: LookupResult<boolean>;
  readonly fromMx: LookupResult<MailHosts>;
  /** Where bounces go. null: no domain, as of the null sender, whose mail gets none. */
  readonly envelopeMx: LookupResult<MailHosts> | null;
  /** What the MX hosts of both domains lead to, of each domain the first ten. */
  readonly mxHosts: Readonly<Record<string, LookupResult<MxHost>>>;
}

/** Where the mail of a domain goes. */
export interface MailHosts {
  /** The hosts, as the records that name them: `10 mx.example.com`. */
  readonly records?: readonly string[];
  readonly mx: readonly string[];
  /** RFC 7505. */
  readonly nullMx: boolean;
  readonly hasAddress: boolean;
}

export interface MxHost {
  readonly addresses: readonly string[];
  /** At the end of its CNAMEs. */
  readonly alias: string | null;
  /** What was meant by one without an address: the domain was appended, for want of a final dot. */
  readonly intended?: string;
  /** Of the family of addresses that did not answer. */
  readonly unanswered?: string;
}

/** What is known of a name in the DNS besides its records: who else has a part in it. */
export interface DnsName {
  /** What its CNAME names, and the end of the chain that begins there. */
  readonly alias?: { readonly target: string; readonly end: string };
  /** Texts at the name of a CNAME, beside which nothing may stand (RFC 1034 §3.6.2): most servers hide them. */
  readonly beside?: readonly string[];
  /** The target that was meant: the zone's own name was appended to it, for want of a final dot. */
  readonly intendedTarget?: string;
  /**
   * Its answers come from a wildcard. These records of it no longer answer once the name has a record
   * of its own (RFC 4592 §2.2.1).
   */
  readonly wildcard?: readonly { readonly type: string; readonly value: string }[];
  /** Its addresses, where a fix may give it one. */
  readonly addresses?: readonly string[];
  /** The name servers of somebody else that answer for it, and the name at which they begin to. */
  readonly delegation?: { readonly zone: string; readonly servers: readonly string[] };
}
