import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Row } from '../../projection/row.ts';
import { formatDuration } from '../discovery/format.ts';
import type { ApiOptions, ApiSettings } from '../options.ts';
import type { Misuse } from '../plugins/rate-limits.ts';

/** The detail of a 404 for a test. */
export function unknownTest({ retentionSeconds }: ApiSettings['durations']): string {
  const retention = formatDuration(retentionSeconds);
  return `Check the id. A test is deleted ${retention} after its mail arrived, an unused test ${retention} after its creation.`;
}

/**
 * The row of a test. One that is not in memory costs a read at the log's leader, which is why it is
 * counted before it is looked up.
 */
export async function findRow(
  { rows, misuse }: Pick<ApiOptions, 'rows'> & { readonly misuse: Misuse },
  request: FastifyRequest,
  testId: string,
): Promise<Row | undefined> {
  const row = rows.peek(testId);
  // Another replica may have shown more: a client that polls them in turn must not see it go back.
  if (row && rows.isBehind()) return rows.refresh(testId).catch(orElse(row));
  if (row) return row;
  await misuse.unknownId(request);
  return rows.find(testId);
}

/** Where the leader does not answer, what is known is the best answer there is. */
const orElse = (row: Row) => (error: unknown) => {
  if (error instanceof ServiceError && error.code === 'log_unavailable') return row;
  throw error;
};
