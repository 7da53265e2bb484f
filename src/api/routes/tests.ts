import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID, TestId } from '../../domain/ids.ts';
import { positionOf } from '../../projection/position.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';
import { answer, problems, RETRY_AFTER, ref } from '../schemas/answers.ts';
import { POSITION, TestPosition } from '../schemas/headers.ts';
import type { CreatedTest } from '../schemas/tests.ts';
import { createTest } from './create-test.ts';
import { findRow, hasNews, unknownTest } from './find-row.ts';
import { STATUS_ROUTE } from './status-at-once.ts';
import { statusWaiters, waitSeconds } from './status-waiters.ts';
import { isOpen, sampleStatus, toStatus } from './test-status.ts';

/**
 * Serves the routes that create tests and return their status, which can wait for a change (long polling).
 * Both are free.
 */
export const testRoutes: FastifyPluginAsyncTypebox<GuardedOptions> = async (app, options) => {
  const { settings, sampleReport, rows } = options;
  const { wait } = statusWaiters(app, options);
  const sells = settings.payment !== null;
  const { baseUrl, mailDomain, rateLimits, durations } = settings;

  app.post(
    '/v1/tests',
    {
      config: { maxPerMinute: rateLimits.create },
      schema: {
        operationId: 'createTest',
        summary: 'Create a test',
        description:
          'Returns a one-time address and the secret that opens its report. Send one real email to the address before `send_before`. Free.',
        tags: ['tests'],
        body: Type.Object(
          {},
          { description: 'No body is needed, and any members in it are ignored.', examples: [{}] },
        ),
        response: {
          201: answer(
            'The test was created.',
            { 'application/json': ref('CreatedTest') },
            {
              Location: {
                type: 'string',
                description: 'The URL of the status.',
                examples: ['https://mailtest.example/v1/tests/abcdefgh2345/status'],
              },
            },
          ),
          ...problems(
            'invalid_request',
            'body_too_large',
            'unsupported_media_type',
            'rate_limited',
            'internal_error',
            'log_unavailable',
            'creation_paused',
          ),
        },
      },
      preValidation: async (request) => {
        if (request.body === undefined) request.body = {};
      },
    },
    async ({ id, ip, log }, reply) => {
      const { testId, readToken, event } = await createTest(options, ip);
      log.info({ request: id, test_id: testId }, 'test created');
      options.traces?.begin('test created', testId, Date.now() - reply.elapsedTime)();
      const base = baseUrl();
      const status_url = `${base}/v1/tests/${testId}/status`;
      const body: CreatedTest = {
        test_id: testId,
        address: `${testId}@${mailDomain}`,
        read_token: readToken,
        status: 'waiting',
        created_at: event.at,
        send_before: event.data.send_before,
        expires_at: event.data.expires_at,
        status_url,
        report_url: `${base}/v1/report?test_id=${testId}`,
        ...(options.canSell?.() === false && { can_sell: false }),
      };
      return reply
        .code(201)
        .headers({ location: status_url, 'cache-control': 'no-store' })
        .send(body);
    },
  );

  app.get(
    STATUS_ROUTE,
    {
      schema: {
        operationId: 'getTestStatus',
        summary: 'Get the status of a test',
        description:
          'Poll it every `poll_after_seconds` until the status is `ready`, usually seconds after the email. With `Prefer: wait=30`, it waits for a change since the `Test-Position` that you send. Free.',
        tags: ['tests'],
        params: Type.Object({ test_id: TestId }),
        headers: Type.Object({
          prefer: Type.Optional(
            Type.String({
              description:
                '`wait=30`: respond when something happens, or after 30 seconds at the latest.',
              examples: ['wait=30'],
            }),
          ),
          'test-position': TestPosition,
        }),
        response: {
          200: answer(
            'The status of the test.',
            { 'application/json': ref('TestStatus') },
            {
              ...RETRY_AFTER,
              ...POSITION,
              'Preference-Applied': {
                type: 'string',
                description: 'The wait that was granted.',
                examples: ['wait=30'],
              },
            },
          ),
          ...problems(
            'invalid_request',
            'test_not_found',
            'rate_limited',
            'internal_error',
            'log_unavailable',
            'test_damaged',
          ),
        },
      },
    },
    async (request, reply) => {
      const { test_id } = request.params;
      reply.header('cache-control', 'no-store');
      if (test_id === SAMPLE_ID) return sampleStatus(test_id, sampleReport.received_at, sells);

      let row = await findRow(options, request, test_id);
      const seconds = waitSeconds(request);
      if (row && seconds > 0 && isOpen(row) && !hasNews(request, row)) {
        reply.header('preference-applied', `wait=${seconds}`);
        await wait(test_id, row, seconds, request, reply);
        row = rows.peek(test_id);
      }
      if (!row) throw new ServiceError('test_not_found', { detail: unknownTest(durations) });
      const status = toStatus(test_id, row, durations, sells);
      if (status.poll_after_seconds > 0) reply.header('retry-after', status.poll_after_seconds);
      reply.header('test-position', positionOf(row));
      return status;
    },
  );
};
