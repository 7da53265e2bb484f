import type { Arc } from '../domain/report/arc.ts';
import type { DkimSignature, Dmarc, Spf } from '../domain/report/authentication.ts';
import type { Bimi } from '../domain/report/bimi.ts';
import type { Cloudflare, Connection, TransportPolicy } from '../domain/report/connection.ts';
import type { Answer } from './dns-answer.ts';
import type { ContentFacts, HeaderFacts, LinkFacts } from './mail-facts.ts';

/**
 * What a lookup left behind. `unknown` is never a "no": it costs the sender nothing and its
 * `error` is a line of `partial_errors`, such as `dns: TXT _dmarc.example.com: SERVFAIL`.
 */
export type LookupResult<T> =
  | { readonly status: 'known'; readonly value: T }
  | { readonly status: 'unknown'; readonly error: string };

export const known = <T>(value: T): LookupResult<T> => ({ status: 'known', value });

export const unknown = (error: string): LookupResult<never> => ({ status: 'unknown', error });

/** Everything the checks may know of one mail: plain data, the same facts, the same report. */
export interface Facts {
  readonly testId: string;
  /** RFC 3339 with milliseconds; the only clock a check has. */
  readonly receivedAt: string;
  readonly expiresAt: string;
  /** `cloudflare`: an inbound provider took the mail for us. */
  readonly mode: 'smtp' | 'cloudflare';
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
  readonly cloudflare: Cloudflare | null;
  /** Provider's spam score from which `inbound_provider_spam` warns; absent: none is configured. */
  readonly inboundSpamLevel?: number;
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
}

/** One fault of a published record, with the term that corrects it. */
export interface TermFault {
  readonly severity: 'fail' | 'warn';
  readonly bad: string;
  readonly good: string;
}

/** A term of some record of the tree, and the sender's own term that leads to it, or is it. */
export interface SpfPlace {
  readonly term: string;
  readonly top: string;
}

export interface SpfFacts {
  readonly report: Spf;
  readonly helo: LookupResult<{ readonly result: Spf['result']; readonly record: string | null }>;
  readonly syntaxFaults: readonly TermFault[];
  /** The term with the most lookups below it; null: none has more than all others. */
  readonly heaviest: string | null;
  /** Lookups that find nothing, each by the term it is of (RFC 7208 §4.6.4). */
  readonly voidTerms: readonly (SpfPlace & {
    /** Its name is made of what is this mail's own, such as the IP: for another it may be there. */
    readonly isOfSender: boolean;
    /** What means the same without a lookup: it has addresses, of the other family alone. */
    readonly instead: readonly string[];
  })[];
  /**
   * Questions for addresses, mail servers and reverse names that found nothing before the result was
   * there: some receivers count these, not terms.
   */
  readonly voidQueries: number;
  /** Terms of the record that make it a permerror when a receiver comes to them, and why. */
  readonly brokenTerms: readonly {
    readonly term: string;
    readonly why: string;
    /** As of a void term. */
    readonly isOfSender: boolean;
    /** It leads back to a record above it. */
    readonly isLoop?: boolean;
  }[];
  /** `+all`, or ranges wider than a /8 (IPv4) or /19 (IPv6), as published. */
  readonly wideTerms: readonly SpfPlace[];
  /**
   * Qualifier of the record's end, through `redirect=`; null: no `all` and no `redirect=`;
   * `unknown`: the record that `redirect=` names could not be had.
   */
  readonly effectiveAll: '+' | '-' | '~' | '?' | 'unknown' | null;
  /** What the record was evaluated on, for a corrected one to be evaluated on the same. */
  readonly evidence?: {
    /** By query, as frozen for this mail. */
    readonly answers: ReadonlyMap<string, Answer<unknown>>;
    /** Without its local part, which nobody is to see. */
    readonly sender: Readonly<Record<'ip' | 'helo' | 'localPart' | 'domain', string>>;
  };
  /** Without a record, a TXT that was intended as one, as published. */
  readonly lookalike?: string;
  /** What the record would be with its text corrected, or several in one; left out: what it is. */
  readonly corrected?: Pick<SpfFacts, 'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'>;
}

export interface DkimFacts {
  /** Every signature kept (20 at most), evaluated (10 at most) or not. */
  readonly signatures: readonly DkimFact[];
  /** Signature fields in the mail, before any limit. */
  readonly total: number;
}

export interface DkimFact {
  readonly report: DkimSignature;
  /** What makes it `malformed`, in words of ours; null: it is not, or it cannot be told. */
  readonly fault: string | null;
  /** Its domain and the From domain have one organizational domain. */
  readonly ofFromDomain: boolean;
  /** Seconds between `t=` and `x=`, and whether `t=` lies more than 5 min after arrival. */
  readonly lifetimeSeconds: number | null;
  readonly fromFuture: boolean;
  readonly expired: boolean;
  /** Present in the mail, worth signing, and not in `h=`. */
  readonly unsignedHeaders: readonly string[];
  readonly coversListUnsubscribe: boolean;
  readonly coversListUnsubscribePost: boolean;
  /** The TXT at the selector, all of them. */
  readonly keyTexts?: readonly string[];
  /** What is wrong with the key record; worst first. */
  readonly keyFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly what: string;
    /** The record as it should be, when it can be told from the sender's own. */
    readonly corrected: string | null;
    /** The catalogue's fix for it, where it has one of its own. */
    readonly fix?: 'joined' | 'cut';
  }[];
}

export interface DmarcFacts {
  readonly report: Dmarc;
  /** Some TXT beginning with `v=DMARC1` (without case) at a name of the walk, usable or not. */
  readonly anyRecord: boolean;
  readonly ignoredBecause: string | null;
  /** The record that is ignored (the first of several), for a corrected copy. */
  readonly ignored?: {
    readonly name: string;
    readonly tags: readonly (readonly [name: string, value: string])[];
  };
  /** Lint of a record that is used: unknown or repeated tags, order, stray TXT. */
  readonly lint: readonly string[];
  /** TXT at the name of the record that are, or were intended as, DMARC records; and others there. */
  readonly published?: readonly string[];
  readonly strays?: readonly string[];
  /** Tags of the record in their order, for corrected copies. */
  readonly tags: readonly (readonly [name: string, value: string])[];
  readonly inherited: boolean;
  readonly spfAligned: boolean;
  readonly dkimAligned: boolean;
  /** Both alignments are known: no lookup that could change them failed. Of the policy it says nothing. */
  readonly decided: boolean;
  /** Domains where the walk and the Public Suffix List disagree, in words. */
  readonly pslNote: string | null;
}

export interface ArcFacts {
  readonly report: Arc;
  readonly sealer: string | null;
  readonly fault: string | null;
}

export interface BimiFacts {
  readonly report: Bimi;
  readonly recordFault: string | null;
  readonly declined: boolean;
  /** The first element or attribute that SVG Tiny PS forbids. */
  readonly badElement: string | null;
  /** Unknown when a fetch failed for our reasons. */
  readonly logo: LookupResult<'valid' | 'not_square' | 'invalid'>;
  readonly certificate: LookupResult<'valid' | 'absent' | 'invalid'>;
  readonly certificateFault: string | null;
  readonly organizationalDomainReady: boolean;
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
