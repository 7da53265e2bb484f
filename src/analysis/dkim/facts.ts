/**
 * Declares the facts about the DKIM signatures of an email, about their key records, and about the attempts
 * to find out why a signature failed.
 */

import type { DkimSignature } from '../../domain/report/authentication.ts';
import type { ProvedChange } from './changes.ts';

/** Facts about the DKIM signatures of an email. */
export interface DkimFacts {
  /** Every signature that was read (at most 20). At most 10 of them were evaluated. */
  readonly signatures: readonly DkimFact[];
  /** Number of DKIM-Signature fields in the email, before any limit. */
  readonly total: number;
}

export interface DkimFact {
  readonly report: DkimSignature;
  /**
   * The reason why a signature with the reason `malformed` is invalid, in our own words. Null if it is valid,
   * or if this cannot be decided.
   */
  readonly fault: string | null;
  /** True if the domain of the signature and the From domain share an organizational domain. */
  readonly ofFromDomain: boolean;
  /**
   * Number of seconds between `t=` and `x=`, or null if either is absent. `fromFuture` is true if `t=` is
   * more than 5 minutes after arrival.
   */
  readonly lifetimeSeconds: number | null;
  readonly fromFuture: boolean;
  readonly expired: boolean;
  /** Names of the header fields that are present and should be signed but are not in `h=`. */
  readonly unsignedHeaders: readonly string[];
  readonly coversListUnsubscribe: boolean;
  readonly coversListUnsubscribePost: boolean;
  /** All TXT records at the name of the signature's key. */
  readonly keyTexts?: readonly string[];
  /** The matching key record at another name, if there is none or a wrong one at the right name. */
  readonly elsewhere?: Misplaced;
  /** The results of trial verifications, if the signature failed. */
  readonly tried?: TriedSignature;
  /** The change after signing that broke the signature, if one was proved. */
  readonly changed?: ProvedChange;
  /** Faults of the key record, the worst first. */
  readonly keyFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly what: string;
    /** The corrected record. Null if it cannot be derived from the sender's own record. */
    readonly corrected: string | null;
    /** The name of the catalogue's fix for this fault, if the fault has a fix of its own. */
    readonly fix?: 'joined' | 'cut' | 'strict';
  }[];
}

/** A DNS record at a name where receivers do not look for it. */
export interface Misplaced {
  readonly name: string;
  readonly record: string;
  /** The target of the alias if the name is an alias. The record is maintained at the target. */
  readonly alias?: string;
  /**
   * The TXT record that contains this name, if the sender should have published an alias (CNAME) to it
   * instead.
   */
  readonly asText?: string;
}

/** The results of verifying a failed signature again with other keys and without single header fields. */
export interface TriedSignature {
  /** The published record whose key verifies the signature. Null if no key that was tried verifies it. */
  readonly key: Misplaced | null;
  /**
   * The header field without which the signature verifies, and which was therefore added after signing. Null
   * if there is none.
   */
  readonly addedHeader: string | null;
  /**
   * The record at the signature's own name whose key made it, even though the headers are no longer the ones
   * that were signed. Null if no published key made it. Absent if this cannot be told, as for Ed25519.
   */
  readonly maker?: string | null;
}
