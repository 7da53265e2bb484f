/** Makes the challenge of a 402 response: what a report costs and how to pay it (x402 v2). */

import { SAMPLE_ID } from './ids.ts';
import { SCHEMA_VERSION } from './report/report.ts';
import type { PaymentRequirements } from './x402.ts';

/** The URL at which a report is read and paid for. */
const reportUrl = (baseUrl: string) => `${baseUrl}/v1/report`;

/**
 * The paid resource: a test's report. The published one is the sample, which responds with 402 without a
 * token, so that registries can probe it and anyone can pay for it.
 */
export const resourceUrl = (baseUrl: string, testId = SAMPLE_ID) =>
  `${reportUrl(baseUrl)}?test_id=${testId}`;

/** There is one file for each layout of the report. */
export const REPORT_SCHEMA_PATH = `/schemas/report-${SCHEMA_VERSION}.json`;

/** The URL of the report's whole schema: the challenge has room for the main members only. */
export const reportSchemaUrl = (baseUrl: string) => baseUrl + REPORT_SCHEMA_PATH;

/** The name of the paid resource for agents and registries. At most 32 printable ASCII characters. */
const SERVICE_NAME = 'Email deliverability test';
const TAGS = ['email', 'deliverability', 'spf', 'dkim', 'dmarc'];

/** The shape of `top_fixes`, and of `findings`. */
const fixes = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'string' }, fix: { type: 'string' } } },
};

/** Describes the resource, its request and its response for discovery services (x402 `bazaar`). */
const bazaar = (baseUrl: string) => ({
  info: {
    input: { type: 'http', method: 'GET', queryParams: { test_id: SAMPLE_ID } },
    output: { type: 'json', example: { test_id: SAMPLE_ID, score: 87, grade: 'B' } },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['input'],
    properties: {
      input: {
        type: 'object',
        required: ['type', 'method', 'queryParams'],
        properties: {
          type: { const: 'http' },
          method: { enum: ['GET'] },
          queryParams: {
            type: 'object',
            required: ['test_id'],
            properties: {
              test_id: {
                type: 'string',
                pattern: '^[a-z2-7]{12}$',
                default: SAMPLE_ID,
                description: 'From POST /v1/tests. The sample needs no token.',
              },
            },
          },
          headers: {
            type: 'object',
            properties: {
              'X-Read-Token': { type: 'string', description: 'From POST /v1/tests.' },
            },
          },
        },
      },
      output: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          example: {
            type: 'object',
            description: `The main members. All members: ${reportSchemaUrl(baseUrl)}`,
            required: ['test_id', 'score', 'grade'],
            properties: {
              test_id: { type: 'string' },
              score: { type: 'integer', minimum: 0, maximum: 100 },
              grade: { enum: ['A', 'B', 'C', 'D', 'F'] },
              top_fixes: fixes,
              findings: fixes,
            },
          },
        },
      },
    },
  },
});

interface Challenge {
  readonly error?: string | undefined;
  readonly testId?: string;
}

/**
 * The x402 v2 challenge: the content of `PAYMENT-REQUIRED`, and members of the 402's body.
 *
 * @param testId the test whose report it is; by default, the published one
 */
export function paymentRequired(
  baseUrl: string,
  terms: PaymentRequirements,
  { error, testId }: Challenge = {},
) {
  return {
    x402Version: 2 as const,
    ...(error === undefined ? {} : { error }),
    resource: {
      url: resourceUrl(baseUrl, testId),
      description: 'The deliverability and security report on one test email.',
      mimeType: 'application/json',
      serviceName: SERVICE_NAME,
      tags: TAGS,
      iconUrl: `${baseUrl}/icon.svg`,
    },
    accepts: [terms],
    extensions: { bazaar: bazaar(baseUrl) },
  };
}
