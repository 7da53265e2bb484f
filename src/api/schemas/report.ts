/** Describes every response to a request for a report, for the OpenAPI document. */

import { answer, type HeaderDoc, problem, problems, RETRY_AFTER, ref } from './answers.ts';
import { exampleChallenge, exampleReceipt } from './examples.ts';
import { POSITION } from './headers.ts';

const PAYMENT_REQUIRED = {
  'PAYMENT-REQUIRED': {
    type: 'string',
    description: 'The x402 v2 challenge: standard base64 of JSON with `accepts`.',
    examples: [exampleChallenge],
  },
} as const satisfies Record<string, HeaderDoc>;

const PAYMENT_RESPONSE = {
  'PAYMENT-RESPONSE': {
    type: 'string',
    description: 'The receipt of the settlement: standard base64 of JSON.',
    examples: [exampleReceipt],
  },
} as const satisfies Record<string, HeaderDoc>;

/** Responses to a request for a report if reports are free. */
const freeAnswers = {
  200: answer('The report.', { 'application/json': ref('Report') }, POSITION),
  ...problems(
    'invalid_request',
    'wrong_read_token',
    'test_not_found',
    'report_not_ready',
    'rate_limited',
    'internal_error',
    'log_unavailable',
    'test_damaged',
  ),
};

const paidAnswers = {
  200: answer(
    'The report.',
    { 'application/json': ref('Report') },
    { ...PAYMENT_RESPONSE, ...POSITION },
  ),
  ...problems('wrong_read_token', 'test_not_found', 'rate_limited', 'internal_error'),
  409: problem(
    '`report_not_ready`: the test has no report; `test_status` says why. `sale_closed`: the report is about to be deleted and can no longer be bought. You are not charged.',
  ),
  400: problem(
    '`invalid_request`: the query, the token or PAYMENT-SIGNATURE is malformed. You are not charged.',
    PAYMENT_REQUIRED,
  ),
  402: problem(
    '`payment_required`: pay and repeat the request. `payment_invalid`: this payment was not accepted, and this request moved no money. The body also has the members of the challenge.',
    { ...PAYMENT_REQUIRED, ...PAYMENT_RESPONSE, ...POSITION },
    'PaymentRequired',
  ),
  502: problem(
    '`facilitator_unavailable`: the payment could not be checked. This request moved no money.',
    RETRY_AFTER,
  ),
  503: problem(
    '`settlement_pending`: the payment may have gone through, or may still go through. Do not sign anything again: repeat the request with the same PAYMENT-SIGNATURE, and the report opens on its own once the money has moved. `log_unavailable` and `test_damaged`: this request moved no money.',
    RETRY_AFTER,
  ),
};

/** Returns the responses to a request for a report. */
export const reportAnswers = (sells: boolean) => (sells ? paidAnswers : freeAnswers);
