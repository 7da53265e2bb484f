/**
 * Computes the deadlines of a test, such as its deletion and the end of the sale of its report, and builds
 * the events that follow when they pass.
 */

import { toEvent } from '../domain/envelope.ts';
import type { OriginalTestEvent, TestEvent } from '../domain/events.ts';
import type { Row } from './row.ts';

/**
 * Settings of the timers, in seconds. The receive window and the retention are recorded in the events
 * themselves.
 */
export interface Durations {
  readonly refusalTimeoutSeconds: number;
  readonly analysisTimeoutSeconds: number;
}

/** The next timer event of a test, and when it is due (milliseconds since 1970). */
export interface Deadline {
  readonly type: Extract<
    TestEvent['type'],
    'WindowClosed' | 'RefusalTimeout' | 'AnalysisTimeout' | 'Expired'
  >;
  readonly at: number;
}

/**
 * Longest time before the deletion of a test in which no payment for its report is begun, in milliseconds.
 * With a short retention, it is a tenth of the retention.
 */
const CLOSING_MARGIN = 30_000;

/**
 * Returns when the test is deleted, in milliseconds since 1970. The retention, whose length the creation
 * event fixed, counts from the arrival of the email, or from the creation if there was none.
 */
export function expiry({ context }: Row): number {
  const expiresAt = Date.parse(context.expiresAt);
  if (context.receivedAt === null) return expiresAt;
  return Date.parse(context.receivedAt) + expiresAt - Date.parse(context.createdAt);
}

/** Returns when an unpaid report stops being sold, in milliseconds since 1970. */
export function payBefore(row: Row): number {
  const retention = Date.parse(row.context.expiresAt) - Date.parse(row.context.createdAt);
  return expiry(row) - Math.min(CLOSING_MARGIN, Math.floor(retention / 10));
}

/** Returns the time until which a refused sender may send again, in milliseconds since 1970. */
export function sendAgainBefore({ context }: Row, durations: Durations): number | undefined {
  if (!context.refusal) return undefined;
  const timeout = Date.parse(context.refusal.firstAt) + durations.refusalTimeoutSeconds * 1000;
  return Math.min(timeout, Date.parse(context.sendBefore));
}

/** Returns the timer that a test waits for. Every live test has at least the timer of its deletion. */
export function nextDeadline(row: Row, durations: Durations): Deadline {
  const { status, refused, context } = row;
  const expired: Deadline = { type: 'Expired', at: expiry(row) };
  const first = (other: Deadline) => (other.at < expired.at ? other : expired);

  if (status === 'processing' && context.receivedAt !== null)
    return first({
      type: 'AnalysisTimeout',
      at: Date.parse(context.receivedAt) + durations.analysisTimeoutSeconds * 1000,
    });
  if (refused && context.refusal)
    return first({
      type: 'RefusalTimeout',
      at: Date.parse(context.refusal.firstAt) + durations.refusalTimeoutSeconds * 1000,
    });
  if (status === 'waiting')
    return first({ type: 'WindowClosed', at: Date.parse(context.sendBefore) });
  return expired;
}

interface Notice {
  readonly id: string;
  /** The replica that noticed that the deadline had passed. */
  readonly by: string;
  /** When the replica noticed it, in milliseconds since 1970. */
  readonly firedAt: number;
}

/**
 * Returns the event for a deadline that has passed. The event is dated at the deadline, no matter which
 * replica notices it and when, so that a replay gives the same result. But it is never dated before what was
 * recorded earlier.
 */
export function toTimerEvent(row: Row, { type, at }: Deadline, notice: Notice): OriginalTestEvent {
  const author = { ...notice, at, after: row.context.at };
  const fired_at = new Date(notice.firedAt).toISOString();
  if (type === 'AnalysisTimeout')
    return toEvent({ type, data: { attempt: row.context.attempts, fired_at } }, author);
  return toEvent({ type, data: { fired_at } }, author);
}
