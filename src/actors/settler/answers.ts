import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import { type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import type { SettlementResponse } from '../../domain/x402.ts';
import { encodeHeader } from '../../domain/x402-headers.ts';

/** Seconds after which a caller that got "not now" should ask again. */
const RETRY_SECONDS = '5';

export interface Terms {
  readonly settings: PaymentSettings;
  readonly baseUrl: () => string;
}

/** The errors of a paid read, with the headers of x402. `secondsLeft`: of the report's life. */
export function settlerAnswers({ settings, baseUrl }: Terms) {
  const challenge = (secondsLeft: number, error?: string) =>
    paymentRequired(baseUrl(), paymentTerms(settings, secondsLeft), error);

  function withChallenge(
    code: ErrorCode,
    detail: string,
    secondsLeft: number,
    error?: string,
    receipt?: SettlementResponse,
  ) {
    const members = challenge(secondsLeft, error);
    return new ServiceError(code, {
      detail,
      members,
      headers: {
        'payment-required': encodeHeader(members),
        ...(receipt && { 'payment-response': encodeHeader(receipt) }),
      },
    });
  }

  return {
    /** Nothing was paid yet. */
    required: (secondsLeft: number) =>
      withChallenge(
        'payment_required',
        'Sign one of the `accepts` options and repeat the request with PAYMENT-SIGNATURE.',
        secondsLeft,
      ),

    /** The header cannot be read as a payment. */
    unreadable: (secondsLeft: number) =>
      withChallenge(
        'invalid_request',
        'PAYMENT-SIGNATURE is not the base64 of an x402 payment.',
        secondsLeft,
        'invalid_payload',
      ),

    /** A readable payment that cannot be taken; nothing was charged. */
    invalid: (reason: string, secondsLeft: number) =>
      withChallenge('payment_invalid', `Not charged: ${reason}.`, secondsLeft, reason),

    /** The settlement failed for good; nothing was charged. */
    failed(reason: string, payer: string, secondsLeft: number) {
      const receipt = {
        success: false,
        transaction: '',
        network: settings.network,
        payer,
        errorReason: reason,
      };
      const detail = `Not charged: the settlement failed (${reason}).`;
      return withChallenge('payment_invalid', detail, secondsLeft, reason, receipt);
    },

    /** Money may have moved: never a 402, or a client would sign and pay again. */
    pending: () =>
      new ServiceError('settlement_pending', {
        detail:
          'The payment may have gone through. Repeat this request with the same PAYMENT-SIGNATURE: it never charges twice. Do not sign a new one.',
        headers: { 'retry-after': RETRY_SECONDS },
      }),

    /** Checking was not possible; nothing was started. */
    upstream: (cause: unknown) =>
      new ServiceError('facilitator_unavailable', {
        detail: 'Nothing was charged. Repeat this request with the same PAYMENT-SIGNATURE.',
        headers: { 'retry-after': RETRY_SECONDS },
        cause,
      }),

    logUnavailable: () =>
      new ServiceError('log_unavailable', {
        detail: 'Repeat this request with the same PAYMENT-SIGNATURE: it never charges twice.',
        headers: { 'retry-after': RETRY_SECONDS },
      }),

    tooManyAttempts: () =>
      new ServiceError('rate_limited', {
        detail: 'Too many settlements failed for this test.',
        headers: { 'retry-after': '3600' },
      }),

    gone: () => new ServiceError('test_not_found'),
  };
}
