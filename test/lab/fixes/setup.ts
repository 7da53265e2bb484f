import type { Situation } from '../../analysis/whole/publish.ts';

/** Another server or service that sends for the domain: its own connection, mail and signatures. */
export interface Sender {
  readonly name: string;
  readonly part: Pick<Situation, 'client' | 'from' | 'mail' | 'signatures'>;
}

/** A mail and a zone with something wrong. */
export interface Setup {
  readonly name: string;
  readonly situation: Situation;
  /** Whose the sending server is: nobody's fix may let a stranger's in. Left out: the sender's own. */
  readonly server?: 'stranger';
  /** One thing may have several faults: once the first is fixed, its check speaks of the next. */
  readonly hasLayers?: true;
  /** Others that send for the domain. Those that pass before a fix pass after it. */
  readonly others?: readonly Sender[];
  /** The zone as it was meant. Others that it lets in are let in by a fix, unless the fix asks first. */
  readonly meant?: Situation['zone'];
}
