/**
 * Builds the JSON that describes the status of a test or of the sample, with the time until the next poll.
 */

import { remedyOf } from '../../domain/refusal-remedy.ts';
import { type Durations, expiry, payBefore, sendAgainBefore } from '../../projection/deadlines.ts';
import type { Row, StatusName } from '../../projection/row.ts';
import { FAILURES, POSSIBLE_REASONS, type TestStatus } from '../schemas/tests.ts';

/**
 * Seconds until the next poll, by status: an email takes a while to arrive, and an analysis takes about one
 * second.
 */
export const POLL_AFTER: Record<StatusName, number> = {
  waiting: 5,
  processing: 1,
  ready: 0,
  rejected_or_not_received: 0,
  analysis_failed: 0,
};

/** Returns whether the status of a test will still change. */
export const isOpen = ({ status }: Row) => POLL_AFTER[status] > 0;

const toInstant = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * Returns a test in the form in which the status endpoint shows it.
 *
 * @param sells whether the report has to be paid for
 */
export function toStatus(
  test_id: string,
  row: Row,
  durations: Durations,
  sells = true,
): TestStatus {
  const { status, context } = row;
  const refusal = describeRefusal(row, durations);
  return {
    test_id,
    status,
    created_at: context.createdAt,
    send_before: context.sendBefore,
    expires_at: toInstant(expiry(row)),
    poll_after_seconds: POLL_AFTER[status],
    ...(context.receivedAt !== null && { received_at: context.receivedAt }),
    ...(sells && status === 'ready' && { pay_before: toInstant(payBefore(row)) }),
    ...(refusal && { refusal }),
    ...(status === 'analysis_failed' &&
      context.failure !== null && {
        failure: { code: context.failure, detail: FAILURES[context.failure] },
      }),
  };
}

function describeRefusal(row: Row, durations: Durations): TestStatus['refusal'] | undefined {
  const { status, refused, context } = row;
  const final = status === 'rejected_or_not_received';
  if (!final && !refused) return undefined;
  if (!context.refusal)
    return {
      reasons_possible: Object.entries(POSSIBLE_REASONS).map(([code, detail]) => ({
        code,
        detail,
      })),
    };

  const again = final ? undefined : sendAgainBefore(row, durations);
  return {
    refused_at: context.refusal.firstAt,
    reasons: context.refusal.reasons.map((reason) => {
      const { text, record } = remedyOf(reason);
      const { code, detail } = reason;
      return { code, detail, remedy: text, ...(record && { record }) };
    }),
    ...(again !== undefined && { send_again_before: toInstant(again) }),
  };
}

/** The latest time that a four-digit year can express. The sample uses it, because it does not expire. */
const NEVER = '9999-12-31T23:59:59.999Z';

/** Returns the sample in the form in which the status endpoint shows it: always ready. */
export function sampleStatus(test_id: string, receivedAt: string, sells = true): TestStatus {
  return {
    test_id,
    status: 'ready',
    created_at: receivedAt,
    send_before: receivedAt,
    expires_at: NEVER,
    poll_after_seconds: 0,
    received_at: receivedAt,
    ...(sells && { pay_before: NEVER }),
  };
}
