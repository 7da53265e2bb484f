/**
 * Facts about SPF for an email's sender: the record with its faults and lookups, the result, texts that were
 * meant as a record, and trials of corrected records.
 */

import type { Spf } from '../../domain/report/authentication.ts';
import type { LookupResult } from '../lookup-result.ts';

/** A fault in the text of a published record. */
export interface TermFault {
  readonly severity: 'fail' | 'warn';
  readonly bad: string;
}

/**
 * A term in one of the records that an evaluation reads, and the sender's own term that leads to it or equals
 * it.
 */
export interface SpfPlace {
  readonly term: string;
  readonly top: string;
}

/** The result of evaluating a record for this sender, and the lookups that it causes at worst. */
export interface SpfTrial {
  readonly result: Spf['result'];
  /** The record's own term that decided the result. Null if none did, or if there was an error. */
  readonly matchedTerm: string | null;
  /**
   * Number of terms that query the DNS, in the record and in all those to which it leads (RFC 7208 §4.6.4).
   */
  readonly lookups: number;
  /**
   * The terms that query the DNS, in the order in which they are read. Each has the lookups that it and
   * everything below it cause.
   */
  readonly tree: readonly Readonly<NonNullable<Spf['tree']>[number]>[];
}

/** A term that causes a permerror when a receiver reaches it. */
export interface BrokenTerm {
  readonly term: string;
  readonly why: string;
  /**
   * `absent`: the term leads to no record. `faulty`: it leads to a record with an error, or to several.
   * `crowded`: it names more mail servers than receivers accept. `loop`: it leads back to a record above it.
   */
  readonly cause: 'absent' | 'faulty' | 'crowded' | 'loop';
  /** True if the name in the term depends on this email, as for a void term. */
  readonly isOfSender: boolean;
  /** True if the term leads to a readable record that authorizes servers before its fault. */
  readonly isNested?: boolean;
}

/**
 * A fault in a record of the sender's organization to which the sender's record leads. If it has no terms that
 * are broken, too wide or void, the text itself is at fault.
 */
export interface OwnFault {
  /** The name at which the record is published, after all aliases. */
  readonly name: string;
  readonly broken: readonly BrokenTerm[];
  readonly wide: readonly SpfPlace[];
  /** The record's own terms that find nothing for any email, each with the terms to write instead. */
  readonly voids: readonly { readonly term: string; readonly instead: readonly string[] }[];
}

/** A corrected record of the sender's organization to which the sender's record leads. */
export interface SpfRepair extends OwnFault {
  /** The texts that the corrected record replaces. */
  readonly published: readonly string[];
  /** The published record with the spaces that its strings lack. */
  readonly spaced?: string | undefined;
  readonly record: string;
}

export interface SpfFacts {
  readonly report: Spf;
  readonly helo: LookupResult<{ readonly result: Spf['result']; readonly record: string | null }>;
  readonly syntaxFaults: readonly TermFault[];
  /** Void lookups, which find nothing, each with the term that causes it (RFC 7208 §4.6.4). */
  readonly voidTerms: readonly (SpfPlace & {
    /**
     * True if the name that is looked up depends on this email, for example on the IP. For another email, the
     * name may exist.
     */
    readonly isOfSender: boolean;
    /**
     * Terms that mean the same without a lookup. Only a name that has addresses of the other family alone has
     * any.
     */
    readonly instead: readonly string[];
  })[];
  /**
   * Number of queries for addresses, mail servers and reverse names that found nothing before the result was
   * known. Some receivers count these queries instead of terms.
   */
  readonly voidQueries: number;
  /** Terms of the record that cause a permerror when a receiver reaches them, each with the reason. */
  readonly brokenTerms: readonly BrokenTerm[];
  /**
   * Terms that authorize nearly everyone, as published: `+all`, or ranges wider than a /8 (IPv4) or /19
   * (IPv6).
   */
  readonly wideTerms: readonly SpfPlace[];
  /**
   * The qualifier of the `all` at the record's end, even if `redirect=` leads to it. Null if the record has
   * neither `all` nor `redirect=`, and `unknown` if the record that `redirect=` names could not be looked up.
   */
  readonly effectiveAll: '+' | '-' | '~' | '?' | 'unknown' | null;
  /**
   * Results of records that could replace the published one, keyed by the text of the record. Absent if none
   * was tried.
   */
  readonly trials?: ReadonlyMap<string, SpfTrial>;
  /**
   * The record with spaces added where its strings show that they are missing. Absent if none is missing.
   */
  readonly spaced?: string;
  /** The TXT record that was intended as an SPF record, as published, if there is no valid one. */
  readonly lookalike?: string;
  /** True if the only record is at `_spf.` below the domain. */
  readonly isMisplaced?: boolean;
  /** The corrected records of the sender's organization to which the record leads. Absent if there are none. */
  readonly repairs?: readonly SpfRepair[];
  /**
   * Facts about the record after its text and `repairs` are corrected, or after several records are merged.
   * Absent if that changes nothing.
   */
  readonly corrected?: Pick<
    SpfFacts,
    'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'
  > & {
    /** Terms that authorize nearly everyone until `repairs` are published. */
    readonly wideToday: SpfFacts['wideTerms'];
  };
}
