/** Declares what a caller may learn about the status of a test. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant } from './envelope.ts';
import { guard } from './guard.ts';
import { nullable, words } from './report/shapes.ts';

/** The states of a test that a caller may learn: the specification's five words. */
export const TEST_STATUSES = [
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
] as const;

/**
 * A test's entry in the bucket `status`: the part of its state that may be shown, without hashes and domains.
 */
const StatusView = Type.Object({
  /** Sequence number of the last event folded. */
  seq: Type.Integer({ minimum: 1 }),
  status: words(TEST_STATUSES, 'The status of the test.'),
  refused: Type.Boolean(),
  send_before: Instant,
  received_at: nullable(Instant),
  /** When the test is deleted. */
  expires_at: Instant,
});
export type StatusView = Static<typeof StatusView>;
export const isStatusView = guard(StatusView);
