import type { Arc } from '../../domain/report/authentication.ts';

/** Facts about the ARC chain of an email. */
export interface ArcFacts {
  readonly report: Arc;
  readonly sealer: string | null;
  readonly fault: string | null;
  /**
   * Domains whose DKIM signature passed when the email reached a sealer. An empty name stands for a domain
   * that the sealer did not name.
   */
  readonly passedBefore?: readonly string[];
}
