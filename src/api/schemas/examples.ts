/** Collects complete examples of responses and of the payment headers for the OpenAPI document. */

import { encodeHeader } from '../../domain/x402-headers.ts';
import type { CreatedTest, TestStatus } from './tests.ts';

/** URL of the service in examples. */
export const EXAMPLE_URL = 'https://mailtest.example';

const times = {
  created_at: '2026-11-20T10:00:00.000Z',
  send_before: '2026-11-20T11:00:00.000Z',
};

const createdTest: CreatedTest = {
  test_id: 'abcdefgh2345',
  address: 'abcdefgh2345@mailtest.example',
  read_token: '3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk',
  status: 'waiting',
  ...times,
  expires_at: '2026-11-21T10:00:00.000Z',
  status_url: `${EXAMPLE_URL}/v1/tests/abcdefgh2345/status`,
  report_url: `${EXAMPLE_URL}/v1/report?test_id=abcdefgh2345`,
};

const testStatus: TestStatus = {
  test_id: 'abcdefgh2345',
  status: 'ready',
  ...times,
  expires_at: '2026-11-21T10:01:00.000Z',
  poll_after_seconds: 0,
  received_at: '2026-11-20T10:01:00.000Z',
  pay_before: '2026-11-21T10:00:30.000Z',
};

/**
 * Payment terms for examples. They look real, but nobody has the key of the example payment, so it has no
 * value.
 */
const terms = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '50000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'4'.repeat(40)}`,
  maxTimeoutSeconds: 120,
};

export const exampleChallenge = encodeHeader({ x402Version: 2, accepts: [terms] });

export const examplePayment = encodeHeader({
  x402Version: 2,
  accepted: terms,
  payload: {
    signature: `0x${'1'.repeat(130)}`,
    authorization: {
      from: `0x${'5'.repeat(40)}`,
      to: terms.payTo,
      value: terms.amount,
      validAfter: '0',
      validBefore: '1795000000',
      nonce: `0x${'7'.repeat(64)}`,
    },
  },
});

export const exampleReceipt = encodeHeader({
  success: true,
  transaction: `0x${'8'.repeat(64)}`,
  network: terms.network,
});

/** Examples of whole responses that are served at URLs of their own. */
const elsewhere = {
  Report: ['The report on a made-up email', '/sample-report.json'],
  CatalogueEntry: ['A finding', '/findings/spf_record'],
  Catalogue: ['All findings', '/findings'],
  Method: ['The method', '/method'],
} as const;

/** A whole response for each schema, as the service sends it, in the form of a media type's members. */
export const examples: Readonly<Record<string, object>> = {
  CreatedTest: { example: createdTest },
  TestStatus: { example: testStatus },
  ...Object.fromEntries(
    Object.entries(elsewhere).map(([id, [summary, path]]) => [
      id,
      { examples: { whole: { summary, externalValue: `${EXAMPLE_URL}${path}` } } },
    ]),
  ),
};
