import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { positionOf } from '../../projection/position.ts';
import type { Row } from '../../projection/row.ts';
import { formatDuration } from '../discovery/format.ts';
import type { ApiSettings } from '../options.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';

/** The detail of a 404 for a test. */
export function unknownTest({ retentionSeconds }: ApiSettings['durations']): string {
  const retention = formatDuration(retentionSeconds);
  return `Check the id. A test is deleted ${retention} after its mail arrived, an unused test ${retention} after its creation.`;
}

/** How far the caller has seen its test come, at any replica; `undefined`: it does not say. */
const seenBy = ({ headers }: FastifyRequest): number | undefined => {
  const seen = headers['test-position'];
  return /^\d{1,4}$/.test(String(seen)) ? Number(seen) : undefined;
};

/** Whether more has happened than the caller says it has seen: then it has nothing to wait for. */
export const hasNews = (request: FastifyRequest, row: Row): boolean =>
  positionOf(row) > (seenBy(request) ?? Number.POSITIVE_INFINITY);

/**
 * The row of a test. One that is not in memory, or older than what its caller has seen, costs a read
 * at the log's leader, which is why it is counted before it is looked up.
 */
export async function findRow(
  { rows, misuse }: Pick<GuardedOptions, 'rows' | 'misuse'>,
  request: FastifyRequest,
  testId: string,
): Promise<Row | undefined> {
  const row = rows.peek(testId);
  const isOlder = row !== undefined && positionOf(row) < (seenBy(request) ?? 0);
  // Another replica may have shown more: a client that polls them in turn must not see it go back.
  if (row && !isOlder) return rows.isBehind() ? rows.refresh(testId).catch(orElse(row)) : row;
  misuse.unknownId(request);
  return isOlder ? rows.refresh(testId) : rows.find(testId);
}

/** Where the leader does not answer, what is known is the best answer there is. */
const orElse = (row: Row) => (error: unknown) => {
  if (error instanceof ServiceError && error.code === 'log_unavailable') return row;
  throw error;
};
