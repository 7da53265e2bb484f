import { SAMPLE_ID } from './ids.ts';
import type { PaymentRequirements } from './x402.ts';

/** The address of the paid resource: one for all tests, since discovery services publish it. */
export const reportUrl = (baseUrl: string) => `${baseUrl}/v1/report`;

/** What agents and registries read of the paid resource. At most 32 printable ASCII characters. */
const SERVICE_NAME = 'Email deliverability test';

/** How the resource is called and what it answers, for discovery services (x402 `bazaar`). */
const bazaar = {
  info: {
    input: {
      type: 'http',
      method: 'GET',
      queryParams: { test_id: SAMPLE_ID },
      headers: { 'X-Read-Token': '<read_token>' },
    },
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
            properties: { test_id: { type: 'string', pattern: '^[a-z2-7]{12}$' } },
          },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object' } },
      },
    },
  },
} as const;

/** The challenge of x402 v2: the content of `PAYMENT-REQUIRED`, and members of the 402's body. */
export function paymentRequired(baseUrl: string, terms: PaymentRequirements, error?: string) {
  return {
    x402Version: 2 as const,
    ...(error === undefined ? {} : { error }),
    resource: {
      url: reportUrl(baseUrl),
      description: 'The deliverability and security report of one test mail.',
      mimeType: 'application/json',
      serviceName: SERVICE_NAME,
    },
    accepts: [terms],
    extensions: { bazaar },
  };
}
