import type { Dmarc } from '../../domain/report/authentication.ts';
import type { Misplaced } from '../dkim/facts.ts';

/** Facts about DMARC for one email: the record, its policy, and the alignment. */
export interface DmarcFacts {
  readonly report: Dmarc;
  /** A TXT record that begins with `v=DMARC1` (in any case) at a name of the walk, usable or not. */
  readonly anyRecord: boolean;
  readonly ignoredBecause: string | null;
  /** A record at a wrong name, while there is none at the right ones. */
  readonly elsewhere?: Misplaced;
  /** The name of a text that was intended as the record, but that receivers do not accept as one. */
  readonly asideAt?: string;
  /** Defects of a record that is in use: unknown or repeated tags, their order, and stray TXT records. */
  readonly lint: readonly string[];
  /** TXT at the record's name that is, or was intended as, a DMARC record; and the other texts there. */
  readonly published?: readonly string[];
  readonly strays?: readonly string[];
  /** The tags of the record in order, used or not, for corrected copies. Of several records, the first. */
  readonly tags: readonly (readonly [name: string, value: string])[];
  /** The tag that decides the policy of the From domain. `sp` and `np` belong to a record above it. */
  readonly applies: 'p' | 'sp' | 'np';
  readonly inherited: boolean;
  readonly spfAligned: boolean;
  readonly dkimAligned: boolean;
  /** Both alignments are known: no lookup that could change them failed. Says nothing about the policy. */
  readonly decided: boolean;
  /** Domains on which the walk and the Public Suffix List disagree, in words. */
  readonly pslNote: string | null;
}
