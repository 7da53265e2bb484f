/** Finds the row of a test for a request, at the leader of the log if memory may be outdated. */

import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { positionOf } from '../../projection/position.ts';
import type { Row } from '../../projection/row.ts';
import { formatDuration } from '../discovery/format.ts';
import type { ApiSettings } from '../options.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';

/** Returns the detail of a 404 for a test. */
export function unknownTest({ retentionSeconds }: ApiSettings['durations']): string {
  const retention = formatDuration(retentionSeconds);
  return `Check the id. A test is deleted ${retention} after its email arrived, and an unused test ${retention} after its creation.`;
}

/**
 * Returns the latest position of the test that the caller has seen at any replica, or `undefined` if the
 * caller does not state one.
 */
const seenBy = ({ headers }: FastifyRequest): number | undefined => {
  const seen = headers['test-position'];
  return /^\d{1,4}$/.test(String(seen)) ? Number(seen) : undefined;
};

/**
 * Returns whether more has happened than the caller says that it has seen, so that it does not have to wait.
 */
export const hasNews = (request: FastifyRequest, row: Row): boolean =>
  positionOf(row) > (seenBy(request) ?? Number.POSITIVE_INFINITY);

/**
 * Returns the row of a test. If it is not in memory, or is older than what the caller has seen, it has to be
 * read at the log's leader, so the read is counted before it is made.
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

/** If the leader does not respond, the state that is known here is the best response that we can give. */
const orElse = (row: Row) => (error: unknown) => {
  if (error instanceof ServiceError && error.code === 'log_unavailable') return row;
  throw error;
};
