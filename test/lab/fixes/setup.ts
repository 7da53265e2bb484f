/** Defines a setup: an email and a zone with faults, and the others that send for the domain. */

import type { Situation } from '../../analysis/whole/publish.ts';

/** Another server or service that sends for the domain: its own connection, email and signatures. */
export interface Sender {
  readonly name: string;
  readonly part: Pick<Situation, 'client' | 'from' | 'mail' | 'signatures'>;
}

/** An email and a zone with faults. */
export interface Setup {
  readonly name: string;
  readonly situation: Situation;
  /** The operator of the sending server. No fix may authorize a stranger's. Absent for the sender's own. */
  readonly server?: 'stranger';
  /** True if one thing has several faults, so that its check reports the next once the first is fixed. */
  readonly hasLayers?: true;
  /** Others that send for the domain. Those that pass before a fix must pass after it. */
  readonly others?: readonly Sender[];
  /** The zone as it was intended. A fix also authorizes the others in it, unless it asks first. */
  readonly meant?: Situation['zone'];
}
