import type { ErrorCode } from '../../domain/errors.ts';
import type { Row } from '../../projection/row.ts';

/** What stands between a request and a report before any payment is looked at. */
export type ReportRefusal = Extract<
  ErrorCode,
  'test_not_found' | 'wrong_read_token' | 'report_not_ready'
>;

/**
 * Judges a well-formed request for a report: whether the test exists, then the token, then the
 * state, so that only who holds the token learns the state here. `undefined`: it may be read, once
 * it is paid for.
 *
 * @param fitsHash whether the shown token has this SHA-256
 */
export function judgeReportRequest(
  row: Row | undefined,
  fitsHash: (tokenSha256: string) => boolean,
): ReportRefusal | undefined {
  if (!row) return 'test_not_found';
  if (!fitsHash(row.context.tokenSha256)) return 'wrong_read_token';
  if (row.status !== 'ready') return 'report_not_ready';
  return undefined;
}
