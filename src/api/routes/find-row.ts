import type { FastifyRequest } from 'fastify';
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
  if (row) return row;
  await misuse.unknownId(request);
  return rows.find(testId);
}
