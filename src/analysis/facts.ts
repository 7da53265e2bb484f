import type { ProviderName } from '../domain/events.ts';
import type { Connection, Provider, TransportPolicy } from '../domain/report/connection.ts';
import type {
  ArcFacts,
  BimiFacts,
  DkimFacts,
  DmarcFacts,
  SpfFacts,
} from './authentication-facts.ts';
import type { LookupResult } from './lookup-result.ts';
import type { ContentFacts, HeaderFacts, LinkFacts } from './mail-facts.ts';

/** Everything the checks may know of one mail: plain data, the same facts, the same report. */
export interface Facts {
  readonly testId: string;
  /** RFC 3339 with milliseconds; the only clock a check has. */
  readonly receivedAt: string;
  readonly expiresAt: string;
  /** Of the mail below any provider block; known also when no part of it could be read. */
  readonly sizeBytes: number;
  readonly names: Names;
  readonly connection: ConnectionFacts;
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  readonly dmarc: LookupResult<DmarcFacts>;
  readonly arc: LookupResult<ArcFacts>;
  readonly bimi: LookupResult<BimiFacts>;
  readonly transport: TransportFacts;
  readonly headers: LookupResult<HeaderFacts>;
  readonly content: LookupResult<ContentFacts>;
  readonly links: LookupResult<LinkFacts>;
  /** null: none took the mail for us, or it put nothing on top. */
  readonly provider: (Provider & { readonly name: ProviderName }) | null;
  /** What names that were asked for texts are aliases of, at the end of their CNAMEs. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Whether a web-risk service is configured, and what it said of each host. */
  readonly webRisk: WebRiskFacts;
  /** Lookups that no check asks for, and limits that cut something off. */
  readonly partialErrors: readonly string[];
  /** Sentences for `notes`: what was cut, which URLs of DNS records were fetched. */
  readonly remarks: readonly string[];
}

/** The names that findings and fixes speak of. Lower case, ASCII (A-labels). */
export interface Names {
  readonly fromDomain: string | null;
  /** By the tree walk; by the Public Suffix List where DNS gave no answer. */
  readonly fromOrganizationalDomain: string | null;
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
}

/** What the gate decides on; the analyzer goes on from the same facts and asks nothing twice. */
export interface GateFacts {
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  readonly dmarc: LookupResult<DmarcFacts>;
  readonly blocklists: ConnectionFacts['blocklists'];
  /** Null: not known. */
  readonly ip: string | null;
  readonly headerFromDomain: string | null;
  /** No question was answered, and a control question neither: our resolver is down. */
  readonly resolverDown: boolean;
}

export interface ConnectionFacts {
  readonly ip: string | null;
  readonly helo: string | null;
  readonly source: NonNullable<Connection['source']>;
  readonly tls: NonNullable<Connection['tls']>;
  /** PTR names of the sending IP; empty: none. Unknown also when the IP is not known. */
  readonly ptr: LookupResult<readonly string[]>;
  /** The addresses of each PTR name, and whether one of them is the sending IP. */
  readonly forward: LookupResult<{
    readonly addresses: Readonly<Record<string, readonly string[]>>;
    readonly confirmed: boolean;
    /** PTR names that resolve back to the IP. */
    readonly confirmedNames: readonly string[];
  }>;
  /** Addresses of the HELO name; null: it is no host name (literal, single label). */
  readonly heloAddresses: LookupResult<readonly string[] | null>;
  readonly spamcop: LookupResult<'listed' | 'not_listed' | 'not_applicable'>;
  readonly blocklists: NonNullable<Connection['dnsbl']>;
  /** The lists of DNSBLS, which refuse no mail here; missing: none is configured. */
  readonly dnsbls?: NonNullable<Connection['dnsbl']>;
}

export interface TransportFacts {
  readonly report: TransportPolicy;
  readonly mtaSts: LookupResult<{
    readonly state: 'enforce' | 'testing' | 'none' | 'absent' | 'broken';
    readonly fault: string | null;
    /** TXT at the name, all that are of its kind. */
    readonly published?: readonly string[];
  }>;
  readonly tlsRpt: LookupResult<{
    readonly state: 'valid' | 'absent' | 'broken';
    readonly fault: string | null;
    readonly published?: readonly string[];
  }>;
}

export interface WebRiskFacts {
  readonly configured: boolean;
  readonly checkedAt: string | null;
  readonly hosts: Readonly<
    Record<
      string,
      { readonly threats: readonly string[]; readonly expiresAt: string | null } | null
    >
  >;
}
