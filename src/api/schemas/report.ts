import { answer, type HeaderDoc, problem, problems, RETRY_AFTER, ref } from './answers.ts';

const PAYMENT_REQUIRED = {
  'PAYMENT-REQUIRED': {
    type: 'string',
    description: 'The x402 v2 challenge: standard base64 of JSON with `accepts`.',
    examples: ['eyJ4NDAyVmVyc2lvbiI6Mn0='],
  },
} as const satisfies Record<string, HeaderDoc>;

const PAYMENT_RESPONSE = {
  'PAYMENT-RESPONSE': {
    type: 'string',
    description: 'The receipt of the settlement: standard base64 of JSON.',
    examples: ['eyJzdWNjZXNzIjp0cnVlfQ=='],
  },
} as const satisfies Record<string, HeaderDoc>;

/** What reading a report may answer. */
export const reportAnswers = {
  200: answer('The report.', { 'application/json': ref('Report') }, PAYMENT_RESPONSE),
  ...problems(
    'wrong_read_token',
    'test_not_found',
    'report_not_ready',
    'rate_limited',
    'internal_error',
  ),
  400: problem(
    '`invalid_request`: the query, the token or PAYMENT-SIGNATURE is malformed. Never charged.',
    PAYMENT_REQUIRED,
  ),
  402: problem(
    '`payment_required`: pay and repeat the call. `payment_invalid`: this payment was not taken, nothing was charged. The body has the members of the challenge as well.',
    { ...PAYMENT_REQUIRED, ...PAYMENT_RESPONSE },
  ),
  502: problem(
    '`facilitator_unavailable`: the payment could not be checked now. Nothing was charged.',
    RETRY_AFTER,
  ),
  503: problem(
    '`settlement_pending`: the payment may have gone through; repeat the call with the same PAYMENT-SIGNATURE, do not sign anew. `log_unavailable`: nothing was started.',
    RETRY_AFTER,
  ),
};
