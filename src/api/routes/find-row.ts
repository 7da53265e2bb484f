/**
 * Finds the state of a test (its row) for a request, in memory or, if memory may be outdated, at the leader
 * of the log, and tells whether it is newer than the state that the caller has seen.
 */

import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { positionOf } from '../../projection/position.ts';
import type { Row } from '../../projection/row.ts';
import { formatDuration } from '../discovery/format.ts';
import type { ApiSettings } from '../options.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';

/** Returns the `detail` of a 404 for an unknown test. */
export function unknownTest({ retentionSeconds }: ApiSettings['durations']): string {
  const retention = formatDuration(retentionSeconds);
  return `Check the id. A test is deleted ${retention} after its email arrived, and an unused test ${retention} after its creation.`;
}

/**
 * Returns the latest position of the test that the caller has seen at any replica, or `undefined` if the
 * caller does not state it.
 */
const seenBy = ({ headers }: FastifyRequest): number | undefined => {
  const seen = headers['test-position'];
  return /^\d{1,4}$/.test(String(seen)) ? Number(seen) : undefined;
};

/**
 * Returns whether the test has changed since the position that the caller has seen, so that the request does
 * not have to wait.
 */
export const hasNews = (request: FastifyRequest, row: Row): boolean =>
  positionOf(row) > (seenBy(request) ?? Number.POSITIVE_INFINITY);

/**
 * Returns the row of a test. A row that is not in memory, or is older than what the caller has seen, has to
 * be read at the log's leader, so such a request counts against a limit first.
 */
export async function findRow(
  { rows, misuse }: Pick<GuardedOptions, 'rows' | 'misuse'>,
  request: FastifyRequest,
  testId: string,
): Promise<Row | undefined> {
  const row = rows.peek(testId);
  const isOlder = row !== undefined && positionOf(row) < (seenBy(request) ?? 0);
  // Another replica may have shown a newer state, and a client that polls the replicas in turn must not see
  // the test go back.
  if (row && !isOlder) return rows.isBehind() ? rows.refresh(testId).catch(orElse(row)) : row;
  misuse.unknownId(request);
  return isOlder ? rows.refresh(testId) : rows.find(testId);
}

/** If the leader does not respond, the state in memory is the best response that we can give. */
const orElse = (row: Row) => (error: unknown) => {
  if (error instanceof ServiceError && error.code === 'log_unavailable') return row;
  throw error;
};
