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
  /** Of the family of addresses that did not answer. */
  readonly unanswered?: string;
}
