/** Facts about the SPF record of an email's sender, and its evaluation. */

import type { Spf } from '../../domain/report/authentication.ts';
import type { LookupResult } from '../lookup-result.ts';

/** A fault of a published record. */
export interface TermFault {
  readonly severity: 'fail' | 'warn';
  readonly bad: string;
}

/** A term of some record in the tree, and the sender's own term that leads to it or equals it. */
export interface SpfPlace {
  readonly term: string;
  readonly top: string;
}

/** The result of evaluating a record, for this sender and at worst. */
export interface SpfTrial {
  readonly result: Spf['result'];
  /** The record's own term that decided. Null if none did, or if there was an error. */
  readonly matchedTerm: string | null;
  /** Number of terms that query the DNS, in all of its records together (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /**
   * These terms in the order in which they are read, each with the lookups that it and everything below it
   * cause.
   */
  readonly tree: readonly Readonly<NonNullable<Spf['tree']>[number]>[];
}

export interface SpfFacts {
  readonly report: Spf;
  readonly helo: LookupResult<{ readonly result: Spf['result']; readonly record: string | null }>;
  readonly syntaxFaults: readonly TermFault[];
  /** Lookups that find nothing, each with the term that causes it (RFC 7208 §4.6.4). */
  readonly voidTerms: readonly (SpfPlace & {
    /** The name depends on this email, for example on the IP. For another email it may exist. */
    readonly isOfSender: boolean;
    /** Terms that mean the same without a lookup. The name has addresses, but only of the other family. */
    readonly instead: readonly string[];
  })[];
  /**
   * Queries for addresses, mail servers and reverse names that found nothing before the result was known.
   * Some receivers count these instead of terms.
   */
  readonly voidQueries: number;
  /** Terms of the record that cause a permerror when a receiver reaches them, and why. */
  readonly brokenTerms: readonly {
    readonly term: string;
    readonly why: string;
    /** True if the name depends on this email, as for a void term. */
    readonly isOfSender: boolean;
    /** The term leads back to a record above it. */
    readonly isLoop?: boolean;
    /** The term leads to a readable record that authorises servers before the fault. */
    readonly isNested?: boolean;
  }[];
  /** `+all`, or ranges wider than a /8 (IPv4) or /19 (IPv6), as published. */
  readonly wideTerms: readonly SpfPlace[];
  /**
   * The qualifier at the record's end, through `redirect=`. Null if it has neither `all` nor `redirect=`;
   * `unknown` if the record that `redirect=` names could not be looked up.
   */
  readonly effectiveAll: '+' | '-' | '~' | '?' | 'unknown' | null;
  /** Results of records that could replace the published one, by their texts. Absent if none was tried. */
  readonly trials?: ReadonlyMap<string, SpfTrial>;
  /** The record with spaces where its strings show that they are missing. Absent if none is missing. */
  readonly spaced?: string;
  /** If there is no record: a TXT that was intended as one, as published. */
  readonly lookalike?: string;
  /** The only record is at `_spf.` below the domain. */
  readonly isMisplaced?: boolean;
  /**
   * The facts of the record once its text is corrected, or several are merged. Absent if that changes
   * nothing.
   */
  readonly corrected?: Pick<SpfFacts, 'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'>;
}
