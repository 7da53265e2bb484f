/**
 * Serves the route that returns a report, in return for a payment if reports are sold, and refuses requests
 * for unknown tests, with wrong tokens, or for reports that are not ready.
 */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID, TestId } from '../../domain/ids.ts';
import { encodeHeader } from '../../domain/x402-headers.ts';
import type { ReportRequest } from '../../ports/payment.ts';
import { positionOf } from '../../projection/position.ts';
import type { Row, StatusName } from '../../projection/row.ts';
import { describeOffer } from '../discovery/manifest.ts';
import { paymentInfo } from '../discovery/openapi.ts';
import type { ApiSettings } from '../options.ts';
import type { GuardedOptions } from '../plugins/rate-limits.ts';
import { fitsHash } from '../read-token.ts';
import { examplePayment } from '../schemas/examples.ts';
import { readToken } from '../schemas/headers.ts';
import { reportAnswers } from '../schemas/report.ts';
import { findRow, unknownTest } from './find-row.ts';
import { compressAnswer } from './send-document.ts';
import { settlementWaiters } from './settlement-waiters.ts';

/** Describes the operation for the OpenAPI document: the price, how to pay it, and the sample. */
const describe = ({ payment }: ApiSettings): string =>
  payment
    ? `Costs ${describeOffer(payment).price}, once. The first request returns 402 with the terms: sign a payment for them and repeat the request. You can read the report again for free until the test is deleted. You are never charged for 400, 403, 404 and 409. \`test_id=samplereport\` is a sample: probe it and pay for it without a test and without a token.`
    : 'Free until the test is deleted. `test_id=samplereport` is a sample without a token.';

const Query = Type.Object({ test_id: Type.String({ ...TestId, examples: [SAMPLE_ID] }) });

const Token = {
  'x-read-token': readToken(
    'The `read_token` that you got when you created the test. Every test except `samplereport` needs it.',
  ),
};

const Signature = {
  'payment-signature': Type.Optional(
    Type.String({
      description:
        'The signed payment (x402 version 2): standard base64 of JSON, made from `PAYMENT-REQUIRED`. Leave it out of the first request, and once the report is paid for.',
      examples: [examplePayment],
    }),
  ),
};

/** Serves reports, for money if they are sold. The settler decides everything about the payment. */
export const reportRoute: FastifyPluginAsyncTypebox<GuardedOptions> = async (app, options) => {
  const { rows, settler, settings, misuse, traces } = options;
  const { payment } = settings;
  const wait = settlementWaiters(app, options);

  const details: Record<ReportRefusal, string> = {
    test_not_found: unknownTest(settings.durations),
    wrong_read_token: 'Send the read_token that you got when you created this test.',
    report_not_ready: 'Poll the status of this test: it shows why, and when to try again.',
  };

  const refuse = (code: ReportRefusal, status?: StatusName) =>
    new ServiceError(code, {
      detail: details[code],
      ...(code === 'report_not_ready' && { members: { test_status: status } }),
    });

  app.get(
    '/v1/report',
    {
      // The sample needs no token, so invalid headers do not matter for it.
      attachValidation: true,
      onSend: compressAnswer,
      schema: {
        operationId: 'readReport',
        summary: 'Read the report',
        description: describe(settings),
        ...(payment && { 'x-payment-info': paymentInfo(payment) }),
        tags: ['report'],
        querystring: Query,
        headers: Type.Object({ ...Token, ...((payment ? Signature : {}) as typeof Signature) }),
        response: reportAnswers(payment !== null),
      },
    },
    async (request, reply) => {
      const { query, headers, validationError } = request;
      const sample = query.test_id === SAMPLE_ID;
      const ignored = sample && validationError?.validationContext === 'headers';
      if (validationError && !ignored) throw validationError;

      const { test_id } = query;
      const row: Row | 'sample' = sample
        ? 'sample'
        : await judge(request, test_id, headers['x-read-token']);
      if (row !== 'sample') reply.header('test-position', positionOf(row));
      // A response to HEAD has no body, so there is nothing to pay for.
      const payment = request.method === 'HEAD' ? undefined : headers['payment-signature'];
      const hasVersion1 = request.headers['x-payment'] !== undefined;
      const asked = { testId: test_id, row, ip: request.ip, paymentHeader: payment, hasVersion1 };
      const { report, receipt } = await (payment === undefined
        ? read(asked)
        : wait(request, (mayWait) => read({ ...asked, mayWait })));
      return reply
        .headers({
          'cache-control': 'private, no-store',
          ...(receipt && { 'payment-response': encodeHeader(receipt) }),
        })
        .send(report);
    },
  );

  async function read(asked: ReportRequest) {
    // The sample is not a test, so it is not traced.
    const endSpan =
      asked.row === 'sample' ? undefined : traces?.begin('report request', asked.testId);
    try {
      const result = await settler.read(asked);
      endSpan?.({ outcome: result.receipt ? 'paid' : 'served' });
      return result;
    } catch (error) {
      endSpan?.({ outcome: error instanceof ServiceError ? error.code : 'internal_error' });
      throw error;
    }
  }

  async function judge(request: FastifyRequest, testId: string, token: string): Promise<Row> {
    const judgeRow = (row: Row | undefined) =>
      judgeReportRequest(row, (hash) => fitsHash(token, hash));

    let row = await findRow(options, request, testId);
    let refusal = judgeRow(row);
    if (refusal === 'report_not_ready') {
      // Another replica may know more than this one, so only the log itself can decide that the report is not
      // ready.
      row = await rows.refresh(testId);
      refusal = judgeRow(row);
    }
    if (refusal === 'wrong_read_token') misuse.wrongToken(request, testId);
    if (refusal) throw refuse(refusal, row?.status);
    return row as Row;
  }
};

/** Reasons to refuse a request for a report before any payment is examined. */
type ReportRefusal = Extract<ErrorCode, 'test_not_found' | 'wrong_read_token' | 'report_not_ready'>;

/**
 * Judges a well-formed request for a report: first whether the test exists, then the token, then the status,
 * so that only the holder of the token learns the status here. Returns `undefined` if the report may be read
 * once it is paid for.
 *
 * @param fitsHash returns whether the token in the request has this SHA-256
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
