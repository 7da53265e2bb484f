import type { Dmarc } from '../../domain/report/authentication.ts';
import type { Misplaced } from '../dkim/facts.ts';

/** Facts about DMARC for one email: the record, its policy, and the alignment. */
export interface DmarcFacts {
  readonly report: Dmarc;
  /**
   * True if a TXT record at a name of the tree walk is, or was meant as, a DMARC record, whether usable or
   * not.
   */
  readonly anyRecord: boolean;
  readonly ignoredBecause: string | null;
  /** The record at a wrong name, if there is none at the right names. */
  readonly elsewhere?: Misplaced;
  /** The name at which a text was meant as the record, although receivers do not accept it as one. */
  readonly asideAt?: string;
  /**
   * Defects of a record that is in use: invalid values, unknown, repeated or misplaced tags, and other TXT
   * records at its name.
   */
  readonly lint: readonly string[];
  /**
   * TXT records at the record's name, or if there is no record, at the name where the first one should be
   * published: in `published` those that are, or were meant as, a DMARC record, and in `strays` all others.
   */
  readonly published?: readonly string[];
  readonly strays?: readonly string[];
  /**
   * True if the domain whose record a fix changes is known to have no mail host (MX). Absent if that is the
   * From domain, or if reports reach one of the record's addresses.
   */
  readonly hasNoMailHost?: boolean;
  /**
   * The tags of the record in their published order, from which corrected copies are made. If there are
   * several records, these are the tags of the first one and the report addresses of the others.
   */
  readonly tags: readonly (readonly [name: string, value: string])[];
  /**
   * The tag that decides the policy of the From domain. `sp` and `np` apply only if the record is at a domain
   * above it.
   */
  readonly applies: 'p' | 'sp' | 'np';
  readonly inherited: boolean;
  readonly spfAligned: boolean;
  readonly dkimAligned: boolean;
  /**
   * True if both alignments are known, because no lookup that could change them failed. The policy may still
   * be unknown.
   */
  readonly decided: boolean;
  /**
   * A phrase that says for which domain the tree walk and the Public Suffix List disagree about the
   * alignment. Null if they agree.
   */
  readonly pslNote: string | null;
}
