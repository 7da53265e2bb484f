import type { DkimSignature } from '../../domain/report/authentication.ts';

export interface DkimFacts {
  /** Every signature that is read (20 at most), evaluated (10 at most) or not. */
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
  /** A key at another name, while there is none, or a wrong one, at its own. */
  readonly elsewhere?: Misplaced;
  /** Of a signature that failed: what was found by trying. */
  readonly tried?: TriedSignature;
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

/** A record that stands where nobody looks for it. */
export interface Misplaced {
  readonly name: string;
  readonly record: string;
  /** What its name is an alias of: the record is kept up to date there. */
  readonly alias?: string;
  /** The text that holds this name where an alias (CNAME) of it was meant. */
  readonly asText?: string;
}

/** What came of verifying a signature that failed with other keys, and without single headers. */
export interface TriedSignature {
  /** The published record whose key verifies it; null: none of those that were tried. */
  readonly key: Misplaced | null;
  /** The header without which it verifies, and which came after signing; null: none was found. */
  readonly addedHeader: string | null;
}
