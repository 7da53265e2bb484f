import type { DkimSignature } from '../../domain/report/authentication.ts';
import type { ProvedChange } from './changes.ts';

/** Facts about the DKIM signatures of an email. */
export interface DkimFacts {
  /** Every signature that is read (at most 20), whether it was evaluated (at most 10) or not. */
  readonly signatures: readonly DkimFact[];
  /** Signature fields in the email, before any limit. */
  readonly total: number;
}

export interface DkimFact {
  readonly report: DkimSignature;
  /** The reason why it is `malformed`, in our own words. Null if it is not, or if it cannot be decided. */
  readonly fault: string | null;
  /** Its domain and the From domain share an organizational domain. */
  readonly ofFromDomain: boolean;
  /** Seconds between `t=` and `x=`, and whether `t=` is more than 5 minutes after arrival. */
  readonly lifetimeSeconds: number | null;
  readonly fromFuture: boolean;
  readonly expired: boolean;
  /** Fields that are present, worth signing, and not in `h=`. */
  readonly unsignedHeaders: readonly string[];
  readonly coversListUnsubscribe: boolean;
  readonly coversListUnsubscribePost: boolean;
  /** All TXT records at the selector. */
  readonly keyTexts?: readonly string[];
  /** The key record at another name, if the right name has none or a wrong one. */
  readonly elsewhere?: Misplaced;
  /** For a failed signature: what trial verifications have shown. */
  readonly tried?: TriedSignature;
  /** For a failed signature: what was changed after signing, if that was proved. */
  readonly changed?: ProvedChange;
  /** Faults of the key record, worst first. */
  readonly keyFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly what: string;
    /** The correct record, if it can be derived from the sender's own. */
    readonly corrected: string | null;
    /** The catalogue's fix for this fault, if the fault has a fix of its own. */
    readonly fix?: 'joined' | 'cut' | 'strict';
  }[];
}

/** A record at a name where nobody looks for it. */
export interface Misplaced {
  readonly name: string;
  readonly record: string;
  /** If the name is an alias, its target, where the record is maintained. */
  readonly alias?: string;
  /** The text that contains this name, where an alias (CNAME) to it was intended. */
  readonly asText?: string;
}

/** The results of verifying a failed signature with other keys, and without single header fields. */
export interface TriedSignature {
  /**
   * The published record whose key verifies the signature. Null if none of the keys that were tried does.
   */
  readonly key: Misplaced | null;
  /**
   * The header field that was added after signing: the signature verifies without it. Null if there is none.
   */
  readonly addedHeader: string | null;
}
