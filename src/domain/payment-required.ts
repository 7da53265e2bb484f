/**
 * Makes the challenge of a 402 response (x402 v2): what is sold, on which terms, and how discovery services
 * (`bazaar`) describe it. Also makes the URLs of the report and of its schema.
 */

import { SAMPLE_ID } from './ids.ts';
import { SCHEMA_VERSION } from './report/report.ts';
import type { PaymentRequirements } from './x402.ts';

/** Returns the URL at which reports are read and paid for. */
const reportUrl = (baseUrl: string) => `${baseUrl}/v1/report`;

/**
 * Returns the URL of the paid resource, which is a test's report. The URL that we publish is the sample's: it
 * responds with 402 without a token, so that registries can probe it and anyone can pay for it.
 */
export const resourceUrl = (baseUrl: string, testId = SAMPLE_ID) =>
  `${reportUrl(baseUrl)}?test_id=${testId}`;

/** Path of the report's JSON Schema. Each version of the report's layout has a file of its own. */
export const REPORT_SCHEMA_PATH = `/schemas/report-${SCHEMA_VERSION}.json`;

/** Returns the URL of the report's full schema, because the challenge has room only for the main members. */
export const reportSchemaUrl = (baseUrl: string) => baseUrl + REPORT_SCHEMA_PATH;

/**
 * The name of the paid resource that agents and registries see. It has at most 32 printable ASCII characters.
 */
const SERVICE_NAME = 'Email deliverability test';
const TAGS = ['email', 'deliverability', 'spf', 'dkim', 'dmarc'];

/** The shape of the report's members `top_fixes` and `findings`. */
const fixes = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'string' }, fix: { type: 'string' } } },
};

/** Describes the paid resource, its request and its response for discovery services (x402 `bazaar`). */
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
 * Returns the x402 v2 challenge, which is the content of `PAYMENT-REQUIRED` and part of the 402's body.
 *
 * @param testId the test whose report is sold; by default, the published sample
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
