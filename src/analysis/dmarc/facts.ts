import type { Dmarc } from '../../domain/report/authentication.ts';
import type { Misplaced } from '../dkim/facts.ts';

export interface DmarcFacts {
  readonly report: Dmarc;
  /** Some TXT beginning with `v=DMARC1` (without case) at a name of the walk, usable or not. */
  readonly anyRecord: boolean;
  readonly ignoredBecause: string | null;
  /** A record at a wrong name, while the right ones have no record. */
  readonly elsewhere?: Misplaced;
  /** The name of a text that was intended as the record, and is not one to receivers. */
  readonly asideAt?: string;
  /** Lint of a record that is used: unknown or repeated tags, order, stray TXT. */
  readonly lint: readonly string[];
  /** TXT at the name of the record that are, or were intended as, DMARC records; and others there. */
  readonly published?: readonly string[];
  readonly strays?: readonly string[];
  /** Tags of the record in their order, used or not (of several, of the first), for corrected copies. */
  readonly tags: readonly (readonly [name: string, value: string])[];
  /** The tag that gives the From domain its policy: `sp` and `np` are of a record above it. */
  readonly applies: 'p' | 'sp' | 'np';
  readonly inherited: boolean;
  readonly spfAligned: boolean;
  readonly dkimAligned: boolean;
  /** Both alignments are known: no lookup that could change them failed. Of the policy it says nothing. */
  readonly decided: boolean;
  /** Domains where the walk and the Public Suffix List disagree, in words. */
  readonly pslNote: string | null;
}
