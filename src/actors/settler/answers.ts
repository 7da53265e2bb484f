import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import { type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import type { SettlementResponse } from '../../domain/x402.ts';
import { encodeHeader } from '../../domain/x402-headers.ts';

/** Seconds after which a caller that got "not now" should ask again. */
const RETRY_SECONDS = 5;

export interface Terms {
  readonly settings: PaymentSettings;
  readonly baseUrl: () => string;
  /** Whether the sample is published; true by default. */
  readonly sample?: boolean;
}

/** The errors of a paid read, with the headers of x402. `secondsLeft`: of the report's life. */
export function settlerAnswers(terms: Terms) {
  const invalid = (reason: string, secondsLeft: number) =>
    withChallenge(
      terms,
      'payment_invalid',
      `You were not charged. This payment cannot be taken: ${reason}.`,
      secondsLeft,
      reason,
    );

  return {
    /** A readable payment that cannot be taken; nothing was charged. */
    invalid,

    /** Nothing was paid yet. */
    required: (secondsLeft: number) =>
      withChallenge(
        terms,
        'payment_required',
        'Sign one of the `accepts` options and repeat the request with PAYMENT-SIGNATURE.',
        secondsLeft,
      ),

    /** The header cannot be read as a payment. */
    unreadable: (secondsLeft: number) =>
      withChallenge(
        terms,
        'invalid_request',
        'PAYMENT-SIGNATURE is not the base64 of an x402 payment.',
        secondsLeft,
        'invalid_payload',
      ),

    /** Its authorization belongs to another report. */
    usedElsewhere: (secondsLeft: number) =>
      invalid('invalid_exact_evm_nonce_already_used', secondsLeft),

    /** The settlement failed for good; nothing was charged. */
    failed(reason: string, payer: string, secondsLeft: number) {
      const { network } = terms.settings;
      const receipt = { success: false, transaction: '', network, payer, errorReason: reason };
      const detail = `You were not charged. The settlement failed: ${reason}.`;
      return withChallenge(terms, 'payment_invalid', detail, secondsLeft, reason, receipt);
    },

    ...LATER,
  };
}

/** Answers without a challenge: the same for every purchase. */
const LATER = {
  /** Money may have moved: never a 402, or a client would sign and pay again. */
  pending: () =>
    later(
      'settlement_pending',
      'The payment may have gone through. Repeat this request with the same PAYMENT-SIGNATURE: it never charges twice. Do not sign a new one.',
    ),

  /** Checking was not possible; nothing was started. */
  upstream: (cause: unknown) =>
    later(
      'facilitator_unavailable',
      'You were not charged. Repeat this request with the same PAYMENT-SIGNATURE.',
      RETRY_SECONDS,
      cause,
    ),

  /** No payment was sent, and none could be taken. */
  unsold: () =>
    later(
      'facilitator_unavailable',
      'Reports cannot be sold now. Do not sign a payment yet: repeat this request later.',
    ),

  logUnavailable: () =>
    later(
      'log_unavailable',
      'Repeat this request with the same PAYMENT-SIGNATURE: it never charges twice.',
    ),

  /** Other payments for this report were checked for as long as this request could wait. */
  busy: () =>
    later(
      'rate_limited',
      'You were not charged. Other payments for this report are being checked. Repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  /** Too many settlements of this payer, or of wallets like it, failed on the chain. */
  blocked: () =>
    later(
      'rate_limited',
      'You were not charged. Payments of this wallet, or of wallets with the same code, failed on the chain too often. Try again later, or pay from another wallet.',
      300,
    ),

  /** The payer's earlier payments are not through. */
  inLine: () =>
    later(
      'rate_limited',
      'You were not charged. Other payments of this wallet are being settled. Repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  tooManyAttempts: () =>
    later('rate_limited', 'You were not charged. Too many settlements failed here.', 3600),

  gone: () => new ServiceError('test_not_found'),
};

function withChallenge(
  { settings, baseUrl, sample = true }: Terms,
  code: ErrorCode,
  detail: string,
  secondsLeft: number,
  error?: string,
  receipt?: SettlementResponse,
) {
  const members = paymentRequired(baseUrl(), paymentTerms(settings, secondsLeft), {
    error,
    sample,
  });
  return new ServiceError(code, {
    detail,
    members,
    headers: {
      'payment-required': encodeHeader(members),
      ...(receipt && { 'payment-response': encodeHeader(receipt) }),
    },
  });
}

function later(code: ErrorCode, detail: string, seconds = RETRY_SECONDS, cause?: unknown) {
  return new ServiceError(code, { detail, headers: { 'retry-after': `${seconds}` }, cause });
}
