/** Expresses the progress of a test as a number, so that any two of its states can be compared. */

import { MAX_ATTEMPTS, MAX_REFUSALS } from '../domain/events.ts';
import type { Row } from './row.ts';

/**
 * Number of positions that a test can have from one arrival to the next: waiting before any refusal, after
 * each refusal that may be recorded, and the analysis.
 */
const A_MAIL = MAX_REFUSALS + 2;

/** Position of a test to which nothing more can happen except its end. */
const FINAL = (MAX_ATTEMPTS + 1) * A_MAIL;

/**
 * Returns the progress of a test. No event decreases it, so responses of two replicas can be compared. It
 * depends only on the test's own state, not on the log.
 */
export function positionOf({ status, context }: Row): number {
  const { attempts, refusal } = context;
  if (status === 'processing') return attempts * A_MAIL - 1;
  return status === 'waiting' ? attempts * A_MAIL + (refusal?.count ?? 0) : FINAL;
}
