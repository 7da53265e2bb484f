import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { toEvent } from '../../domain/envelope.ts';
import { ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID, TestId, toBase32 } from '../../domain/ids.ts';
import { decideOn } from '../../ports/decide.ts';
import type { Row } from '../../projection/row.ts';
import type { ApiOptions } from '../options.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';
import { fitsHash } from '../read-token.ts';
import { problem, problems, RETRY_AFTER } from '../schemas/answers.ts';
import { readToken } from '../schemas/headers.ts';
import { findRow, unknownTest } from './find-row.ts';

/**
 * Serves the route that deletes a test early, unless a payment for its report is being settled. It is free,
 * and only for the holder of the test's token.
 */
export const deletionRoute: FastifyPluginAsyncTypebox<GuardedOptions> = async (app, options) => {
  const { settings, misuse } = options;
  const sells = settings.payment !== null;

  app.delete(
    '/v1/tests/:test_id',
    {
      schema: {
        operationId: 'deleteTest',
        summary: 'Delete a test',
        description: `Deletes the test and its report immediately, in any status. Deleting it again returns 404. Free${sells ? '; a payment is not refunded' : ''}.`,
        tags: ['tests'],
        params: Type.Object({ test_id: TestId }),
        headers: Type.Object({ 'x-read-token': readToken('The `read_token` of the test.') }),
        response: {
          204: { description: 'The test was deleted.', type: 'null' },
          ...problems(
            'invalid_request',
            'wrong_read_token',
            'test_not_found',
            'rate_limited',
            'internal_error',
          ),
          503: problem(
            `${sells ? '`settlement_pending`: its payment is being settled. ' : ''}\`log_unavailable\` and \`test_damaged\`: try again.`,
            RETRY_AFTER,
          ),
        },
      },
    },
    async (request, reply) => {
      const { test_id } = request.params;
      const sample = test_id === SAMPLE_ID;
      const row = sample ? undefined : await findRow(options, request, test_id);
      if (!row && !sample)
        throw new ServiceError('test_not_found', { detail: unknownTest(settings.durations) });
      if (!row || !fitsHash(request.headers['x-read-token'], row.context.tokenSha256)) {
        misuse.wrongToken(request, test_id);
        throw new ServiceError('wrong_read_token', {
          detail: sample
            ? 'The sample belongs to nobody, so it cannot be deleted.'
            : 'Send the read_token that you got when you created this test.',
        });
      }
      await deleteTest(options, test_id, row);
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  );
};

/** Time in milliseconds that the log has to respond, because the caller is waiting. */
const APPEND_MS = 3000;

type Ports = Pick<ApiOptions, 'tests' | 'rows' | 'settler' | 'clock' | 'random' | 'settings'>;

/**
 * Ends a test after the caller has proved to hold its token. A test is not ended while money may be moving
 * for its report, because anyone who pays gets the report. Resolves when the test has ended on this replica;
 * every other replica learns it from the log.
 *
 * @throws ServiceError `settlement_pending`, `log_unavailable`, `test_damaged`
 */
async function deleteTest(ports: Ports, testId: string, first: Row): Promise<void> {
  const { tests, rows, settler, clock, random, settings } = ports;
  const choose = async (row: Row | undefined) => {
    if (!row) return { refusal: 'gone' as const };
    if (row.status === 'ready' && (await settler.isSettling(testId)))
      throw new ServiceError('settlement_pending', {
        detail: 'The test was not deleted. Delete it again once its payment is settled.',
        headers: { 'retry-after': '5' },
      });
    const author = { id: toBase32(random(16)), by: settings.replicaId, at: clock() };
    const after = row.context.at;
    return { event: toEvent({ type: 'TestDeleted', data: {} }, { ...author, after }) };
  };
  const decide = decideOn(tests, rows.refresh);
  const ended = await decide(testId, first, choose, { deadlineMs: APPEND_MS });
  if (ended.outcome === 'refused') return;
  if (ended.outcome !== 'appended' || (await rows.refresh(testId)))
    throw new ServiceError('log_unavailable', {
      detail: 'The test may or may not have been deleted. Delete it again.',
      headers: { 'retry-after': '5' },
    });
}
