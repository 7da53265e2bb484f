import type { Arc, DkimSignature, Dmarc, Spf } from '../domain/report/authentication.ts';
import type { Bimi } from '../domain/report/logo.ts';
import type { LookupResult } from './lookup-result.ts';

/** One fault of a published record, with the term that corrects it. */
export interface TermFault {
  readonly severity: 'fail' | 'warn';
  readonly bad: string;
  readonly good: string;
}

/** A record that stands where nobody looks for it. */
export interface Misplaced {
  readonly name: string;
  readonly record: string;
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
  /** What records would give in place of the published one, by their texts; left out: none was tried. */
  readonly trials?: ReadonlyMap<string, SpfTrial>;
  /** Without a record, a TXT that was intended as one, as published. */
  readonly lookalike?: string;
  /** The only record stands at `_spf.` below the domain. */
  readonly isMisplaced?: boolean;
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
  /** What makes it `malformed`, in words of ours; null: it is not, or it cannot be decided. */
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
  /** Its key, where there is none at the selector. */
  readonly elsewhere?: Misplaced;
  /** What is wrong with the key record; worst first. */
  readonly keyFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly what: string;
    /** The record as it should be, when it follows from the sender's own. */
    readonly corrected: string | null;
    /** The catalogue's fix for it, where it has one of its own. */
    readonly fix?: 'joined' | 'cut' | 'strict';
  }[];
}

export interface DmarcFacts {
  readonly report: Dmarc;
  /** Some TXT beginning with `v=DMARC1` (without case) at a name of the walk, usable or not. */
  readonly anyRecord: boolean;
  readonly ignoredBecause: string | null;
  /** A record at a wrong name, where there is none at a right one. */
  readonly elsewhere?: Misplaced;
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
  /** Domains whose DKIM signature passed when the mail came to a sealer; empty: of a name it does not give. */
  readonly passedBefore?: readonly string[];
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
  /** null: not known. */
  readonly organizationalDomainReady: boolean | null;
}
