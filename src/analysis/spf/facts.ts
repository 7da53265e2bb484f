import type { Spf } from '../../domain/report/authentication.ts';
import type { LookupResult } from '../lookup-result.ts';

/** One fault of a published record. */
export interface TermFault {
  readonly severity: 'fail' | 'warn';
  readonly bad: string;
}

/** A term of some record of the tree, and the sender's own term that leads to it, or is it. */
export interface SpfPlace {
  readonly term: string;
  readonly top: string;
}

/** What a record gives, for this sender and at worst. */
export interface SpfTrial {
  readonly result: Spf['result'];
  /** The term of the record itself that decided; null: none did, or there was an error. */
  readonly matchedTerm: string | null;
  /** Terms of all its records together that query the DNS (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /** These terms in the order they are read, with the lookups of each and of all below it. */
  readonly tree: readonly Readonly<NonNullable<Spf['tree']>[number]>[];
}

export interface SpfFacts {
  readonly report: Spf;
  readonly helo: LookupResult<{ readonly result: Spf['result']; readonly record: string | null }>;
  readonly syntaxFaults: readonly TermFault[];
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
    /** A record that can be read stands where it leads, and lets in servers before the fault. */
    readonly isNested?: boolean;
  }[];
  /** `+all`, or ranges wider than a /8 (IPv4) or /19 (IPv6), as published. */
  readonly wideTerms: readonly SpfPlace[];
  /**
   * Qualifier of the record's end, through `redirect=`; null: no `all` and no `redirect=`;
   * `unknown`: the record that `redirect=` names could not be had.
   */
  readonly effectiveAll: '+' | '-' | '~' | '?' | 'unknown' | null;
  /** What records would give in place of the published one, by their texts; left out: none was tried. */
  readonly trials?: ReadonlyMap<string, SpfTrial>;
  /** The record with spaces where its strings show that they are missing; left out: it lacks none. */
  readonly spaced?: string;
  /** Without a record, a TXT that was intended as one, as published. */
  readonly lookalike?: string;
  /** The only record stands at `_spf.` below the domain. */
  readonly isMisplaced?: boolean;
  /** What the record would be with its text corrected, or several in one; left out: what it is. */
  readonly corrected?: Pick<SpfFacts, 'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'>;
}
