import type { Arc } from '../../domain/report/authentication.ts';

export interface ArcFacts {
  readonly report: Arc;
  readonly sealer: string | null;
  readonly fault: string | null;
  /** Domains whose DKIM signature passed when the mail came to a sealer; empty: of a name it does not give. */
  readonly passedBefore?: readonly string[];
}
