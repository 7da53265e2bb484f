import { type Static, Type } from '@sinclair/typebox';
import { Instant } from './envelope.ts';
import { guard } from './guard.ts';
import { nullable, words } from './report/shapes.ts';

/** What a caller may learn of a test; the specification's five words. */
export const TEST_STATUSES = [
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
] as const;

/** A test's line in the bucket `status`: what may be shown of it, no hash and no domain. */
const StatusView = Type.Object({
  /** Of the last event folded. */
  seq: Type.Integer({ minimum: 1 }),
  status: words(TEST_STATUSES, 'Where the test stands.'),
  refused: Type.Boolean(),
  send_before: Instant,
  received_at: nullable(Instant),
  /** When the test is deleted. */
  expires_at: Instant,
});
export type StatusView = Static<typeof StatusView>;
export const isStatusView = guard(StatusView);
