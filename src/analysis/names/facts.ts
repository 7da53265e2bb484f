import type { LookupResult } from '../lookup-result.ts';

/** The names that findings and fixes mention. Lower case, ASCII (A-labels). */
export interface Names {
  readonly fromDomain: string | null;
  /** By the tree walk, or by the Public Suffix List if the DNS gave no answer. */
  readonly fromOrganizationalDomain: string | null;
  /** Name servers of the domain that the sender registered. Empty if unknown. */
  readonly nameServers: readonly string[];
  /** The HELO name if the envelope sender is empty (RFC 7208 §2.4). */
  readonly envelopeDomain: string;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly ip: string | null;
  /** True if the From domain exists: its lookup did not return NXDOMAIN (RFC 9989). */
  readonly fromDomainExists: LookupResult<boolean>;
  readonly fromMx: LookupResult<MailHosts>;
  /** The hosts that receive bounces. Null without a domain, as for the null sender, which receives none. */
  readonly envelopeMx: LookupResult<MailHosts> | null;
  /** The addresses of the MX hosts of both domains, at most ten per domain. */
  readonly mxHosts: Readonly<Record<string, LookupResult<MxHost>>>;
}

/** The hosts that receive a domain's mail. */
export interface MailHosts {
  /** The hosts, in the form of their records: `10 mx.example.com`. */
  readonly records?: readonly string[];
  readonly mx: readonly string[];
  /** Null MX (RFC 7505). */
  readonly nullMx: boolean;
  readonly hasAddress: boolean;
}

export interface MxHost {
  readonly addresses: readonly string[];
  /** The name at the end of its CNAMEs. */
  readonly alias: string | null;
  /**
   * The intended name, if this one has no address: the final dot was missing, so the domain was appended.
   */
  readonly intended?: string;
  /** The error of the address family for which no answer came. */
  readonly unanswered?: string;
}

/** Facts about a name in the DNS besides its records: who else controls its answers. */
export interface DnsName {
  /** The target of the name's CNAME, and the end of the chain that begins there. */
  readonly alias?: { readonly target: string; readonly end: string };
  /**
   * TXT records at a name that also has a CNAME. No other record may exist beside a CNAME (RFC 1034 §3.6.2),
   * so most servers hide these texts.
   */
  readonly beside?: readonly string[];
  /** The intended target: the zone's own name was appended to it because the final dot was missing. */
  readonly intendedTarget?: string;
  /**
   * Records that the name gets from a wildcard. They are no longer returned once the name has a record of its
   * own (RFC 4592 §2.2.1).
   */
  readonly wildcard?: readonly { readonly type: string; readonly value: string }[];
  /** The addresses of the name, if a fix may give it one. */
  readonly addresses?: readonly string[];
  /** Someone else's name servers that answer for the name, and the name at which their zone begins. */
  readonly delegation?: { readonly zone: string; readonly servers: readonly string[] };
}
