import { MAX_ATTEMPTS, MAX_REFUSALS } from '../domain/events.ts';
import type { Row } from './row.ts';

/** Between two arrivals: each refusal that may be recorded, and the analysis. */
const A_MAIL = MAX_REFUSALS + 2;

/** Of a test to which nothing happens any more but its end. */
const FINAL = (MAX_ATTEMPTS + 1) * A_MAIL;

/**
 * How far a test has come: no event makes it less, so that answers of two replicas can be compared.
 * It is made of the test's own state and says nothing of the log.
 */
export function positionOf({ status, context }: Row): number {
  const { attempts, refusal } = context;
  if (status === 'processing') return attempts * A_MAIL - 1;
  return status === 'waiting' ? attempts * A_MAIL + (refusal?.count ?? 0) : FINAL;
}
