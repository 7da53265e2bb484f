/** Declares the public status of a test, as the bucket `status` stores it and the API shows it. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant } from './envelope.ts';
import { guard } from './guard.ts';
import { nullable, words } from './report/shapes.ts';

/** The states of a test that callers see, in the five words of the specification. */
export const TEST_STATUSES = [
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
] as const;

/**
 * A test's entry in the bucket `status`: the part of its state that may be shown, without hashes or domains.
 */
const StatusView = Type.Object({
  /** Sequence number of the last event that the entry takes into account. */
  seq: Type.Integer({ minimum: 1 }),
  status: words(TEST_STATUSES, 'The status of the test.'),
  refused: Type.Boolean(),
  send_before: Instant,
  received_at: nullable(Instant),
  /** When the test will be deleted. */
  expires_at: Instant,
});
export type StatusView = Static<typeof StatusView>;
export const isStatusView = guard(StatusView);
