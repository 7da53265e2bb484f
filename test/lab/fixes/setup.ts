import type { Situation } from '../../analysis/whole/publish.ts';

/** A mail and a zone with something wrong. */
export interface Setup {
  readonly name: string;
  readonly situation: Situation;
  /** Whose the sending server is: nobody's fix may let a stranger's in. Left out: the sender's own. */
  readonly server?: 'stranger';
  /** One thing may have several faults: once the first is fixed, its check speaks of the next. */
  readonly hasLayers?: true;
}
