/** Facts about the domain names in an email, and about their DNS. */

import type { LookupResult } from '../lookup-result.ts';

/** The domain names in an email that findings and fixes mention, in lower case and ASCII (A-labels). */
export interface Names {
  readonly fromDomain: string | null;
  /**
   * The organizational domain of From, according to the DNS tree walk, or to the Public Suffix List if the
   * DNS gave no answer.
   */
  readonly fromOrganizationalDomain: string | null;
  /** Name servers of the sender's registered domain. Empty if unknown. */
  readonly nameServers: readonly string[];
  /** The domain of the envelope sender, or the HELO name if the envelope sender is empty (RFC 7208 §2.4). */
  readonly envelopeDomain: string;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly ip: string | null;
  /** True if the From domain exists, that is, if its lookup did not return NXDOMAIN (RFC 9989). */
  readonly fromDomainExists: LookupResult<boolean>;
  readonly fromMx: LookupResult<MailHosts>;
  /**
   * The hosts that receive bounces. Null if there is no domain, as for the null sender, to which no bounces
   * go.
   */
  readonly envelopeMx: LookupResult<MailHosts> | null;
  /** The addresses of the MX hosts of the From and envelope domains, for at most ten hosts per domain. */
  readonly mxHosts: Readonly<Record<string, LookupResult<MxHost>>>;
}

/** The hosts that receive a domain's mail. */
export interface MailHosts {
  /** The MX records as published, such as `10 mx.example.com`. */
  readonly records?: readonly string[];
  readonly mx: readonly string[];
  /** True if the domain has a null MX, so that it accepts no mail (RFC 7505). */
  readonly nullMx: boolean;
  readonly hasAddress: boolean;
}

export interface MxHost {
  readonly addresses: readonly string[];
  /** The name at the end of the host's CNAME chain. Null if the host is no alias. */
  readonly alias: string | null;
  /**
   * The intended host name, if the published one has no address because its final dot was missing and the
   * domain was appended.
   */
  readonly intended?: string;
  /** The error for the address family for which no answer came. */
  readonly unanswered?: string;
}

/** Facts about a name in the DNS besides its own records, such as aliases, wildcards and delegations. */
export interface DnsName {
  /** The target of the name's CNAME, and the end of the chain that begins there. */
  readonly alias?: { readonly target: string; readonly end: string };
  /**
   * TXT records at a name that also has a CNAME. No other record may exist beside a CNAME (RFC 1034 §3.6.2),
   * so most servers hide these texts.
   */
  readonly beside?: readonly string[];
  /** The SPF record at the name, if its TXT records were examined. */
  readonly spf?: string;
  /**
   * The intended target of the CNAME. The zone's own name was appended to it because the final dot was
   * missing.
   */
  readonly intendedTarget?: string;
  /**
   * Records that the name inherits from a wildcard. They are no longer returned once the name has a record of
   * its own (RFC 4592 §2.2.1).
   */
  readonly wildcard?: readonly { readonly type: string; readonly value: string }[];
  /** The addresses of the name, if a fix may publish an address there. */
  readonly addresses?: readonly string[];
  /** The name servers of another party that answer for the name, and the name at which their zone begins. */
  readonly delegation?: { readonly zone: string; readonly servers: readonly string[] };
}
