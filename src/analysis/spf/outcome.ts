import type { SpfResult } from '../../domain/report/authentication.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import type { Match } from './match.ts';

export type SpfOutcome = SpfResult | 'open';

/** What the traversal brings back from a record, or from a term. */
export interface Below {
  readonly lookups: number;
  readonly all: SpfFacts['effectiveAll'];
  /** Undefined: the receiver did not come here, or an answer is missing. */
  readonly outcome?: SpfOutcome | undefined;
  readonly matched: string | null;
}

export const NONE: Below = { lookups: 0, all: null, matched: null };
export const UNKNOWN: Below = { lookups: 0, all: 'unknown', matched: null };

/** RFC 7208 §5.2: what a record with this result means for the term that names it. */
export function toMatch(outcome: SpfOutcome | undefined): Match {
  if (outcome === undefined) return 'open';
  if (outcome === 'pass') return true;
  return outcome === 'open' || outcome === 'temperror' || outcome === 'permerror' ? outcome : false;
}

export const toOutcome = (match: Match): SpfOutcome =>
  match === true ? 'pass' : match === false ? 'neutral' : match;
