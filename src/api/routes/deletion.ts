import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID, TestId } from '../../domain/ids.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';
import { fitsHash } from '../read-token.ts';
import { problem, problems, RETRY_AFTER } from '../schemas/answers.ts';
import { readToken } from '../schemas/read-token.ts';
import { deleteTest } from './delete-test.ts';
import { findRow, unknownTest } from './find-row.ts';

/** Deleting a test before its time: free, and for the holder of its token alone. */
export const deletionRoute: FastifyPluginAsyncTypebox<GuardedOptions> = async (app, options) => {
  const { settings, misuse } = options;
  const sells = settings.payment !== null;

  app.delete(
    '/v1/tests/:test_id',
    {
      schema: {
        operationId: 'deleteTest',
        summary: 'Delete a test',
        description: `Deletes the test and its report at once, in any status. Afterwards it is unknown: deleting it again answers 404. Free${sells ? '; a payment is not returned' : ''}.`,
        tags: ['tests'],
        params: Type.Object({ test_id: TestId }),
        headers: Type.Object({ 'x-read-token': readToken('The `read_token` of the test.') }),
        response: {
          204: { description: 'The test is deleted.', type: 'null' },
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
            ? 'The sample belongs to nobody: it cannot be deleted.'
            : 'Send the read_token that you got when you created this test.',
        });
      }
      await deleteTest(options, test_id, row);
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  );
};
