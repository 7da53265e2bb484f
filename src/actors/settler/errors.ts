/**
 * Builds the errors that a request for a paid report may get, each with its code, an explanation, and headers
 * such as the x402 challenge or `Retry-After`.
 */

import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID } from '../../domain/ids.ts';
import { paymentRequired } from '../../domain/payment-required.ts';
import { type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import type { SettlementResponse } from '../../domain/x402.ts';
import { encodeHeader } from '../../domain/x402-headers.ts';
import type { Clock } from '../../ports/ambient.ts';
import { type Purchase, secondsLeft } from './purchase.ts';

/** Number of seconds after which a caller that was told "not now" should ask again. */
const RETRY_SECONDS = 5;

export interface Terms {
  readonly settings: PaymentSettings;
  readonly baseUrl: () => string;
}

/** Builds the errors that a request for a paid report may get, with the headers of x402. */
export function settlerErrors(terms: Terms, clock: Clock) {
  function challenge(
    purchase: Purchase,
    code: ErrorCode,
    detail: string,
    error?: string,
    receipt?: SettlementResponse,
  ) {
    const { settings, baseUrl } = terms;
    const offered = paymentTerms(settings, secondsLeft(purchase, clock()));
    const testId = purchase.deadline === null ? SAMPLE_ID : purchase.id;
    const members = paymentRequired(baseUrl(), offered, { error, testId });
    return new ServiceError(code, {
      detail,
      members,
      headers: {
        'payment-required': encodeHeader(members),
        ...(receipt && { 'payment-response': encodeHeader(receipt) }),
      },
    });
  }

  /** The payment is readable but cannot be accepted. This request has shown it to nobody. */
  const invalid = (purchase: Purchase, reason: string, why = EXPLAINED[reason] ?? '') =>
    challenge(
      purchase,
      'payment_invalid',
      `This request moved no money. The payment cannot be accepted: ${reason}. ${why}`.trimEnd(),
      reason,
    );

  return {
    invalid,

    /** Nothing has been paid yet. */
    required: (purchase: Purchase) =>
      purchase.hasVersion1
        ? invalid(
            purchase,
            'invalid_x402_version',
            'X-PAYMENT is the header of x402 version 1, and was not read. This service speaks version 2: sign one of the `accepts` options of PAYMENT-REQUIRED, whose network is in CAIP-2 form and whose price is in `amount`, and send the payment in PAYMENT-SIGNATURE.',
          )
        : challenge(
            purchase,
            'payment_required',
            'Sign one of the `accepts` options (x402 version 2) and repeat the request with PAYMENT-SIGNATURE.',
          ),

    /** The header cannot be read as a payment. `why` names the member at fault. */
    unreadable: (purchase: Purchase, why: string) =>
      challenge(
        purchase,
        'invalid_request',
        `You are not charged. ${why} Send the base64 of the JSON of an x402 version 2 payment.`,
        'invalid_payload',
      ),

    /** The test will be deleted too soon for a payment to be settled and recorded before that. */
    closed({ payBefore, deadline }: Purchase) {
      const instants = { pay_before: toInstant(payBefore), expires_at: toInstant(deadline ?? 0) };
      return new ServiceError('sale_closed', {
        detail: `You are not charged. This report was sold until ${instants.pay_before}, and it is deleted at ${instants.expires_at}. Do not sign a payment for it.`,
        members: instants,
      });
    },

    /** The authorization belongs to another report, or was used before it was sent to us. */
    used: (purchase: Purchase) => invalid(purchase, 'invalid_exact_evm_nonce_already_used'),

    /** The settlement failed for good, and nothing was charged. */
    failed(purchase: Purchase, reason: string, payer: string) {
      const { network } = terms.settings;
      const receipt = { success: false, transaction: '', network, payer, errorReason: reason };
      const detail =
        `This request moved no money. The settlement failed: ${reason}. ${EXPLAINED[reason] ?? ''}`.trimEnd();
      return challenge(purchase, 'payment_invalid', detail, reason, receipt);
    },

    ...LATER,
  };
}

/** Says for each refusal whose code alone does not show it what is wrong and what to change. */
const EXPLAINED: Readonly<Record<string, string>> = {
  invalid_exact_evm_signature:
    'payload.signature was not made by payload.authorization.from: sign TransferWithAuthorization as EIP-712 typed data, in the domain of this asset (its name and version are in `extra`) on this network.',
  invalid_exact_evm_nonce_already_used:
    'This authorization was sent for another report, or it was used or cancelled before it was sent here. Sign a new one for this report, with a payload.authorization.nonce that was never used.',
  invalid_exact_evm_insufficient_balance:
    'The wallet payload.authorization.from has less of the asset than accepted.amount. Add funds to it and repeat this request, or pay from another wallet.',
  authorization_cancelled:
    'The payer cancelled the authorization on the chain before the transfer. Sign a new one.',
  authorization_used_elsewhere:
    'The authorization was used on the chain by a transfer that did not pay this service. Sign a new one.',
  authorization_expired:
    'The authorization expired before the chain carried out the transfer. Sign a new one.',
};

const toInstant = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Errors without a challenge. They are the same for every purchase. */
const LATER = {
  /** Money may have moved, so this is never a 402: a client would sign and pay again. */
  pending: () =>
    later(
      'settlement_pending',
      'The payment may have gone through, or may still go through. Do not sign anything again. Repeat this request, with the same PAYMENT-SIGNATURE if you have it: it never charges twice, and the report opens on its own once the money has moved.',
    ),

  /**
   * No money moves unless the code of the payer's account changes its decision, which it may do until the
   * authorization has ended.
   */
  refusedByCode: () =>
    later(
      'settlement_pending',
      'No money has moved. The code in the account of this wallet (EIP-7702) refuses the signature of its key, so the token contract accepts no payment from it. Remove or change that code, or wait until the authorization has ended and pay from another wallet. Until then, do not sign anything again: repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  /** The payment could not be checked, and nothing was started. */
  upstream: (cause: unknown) =>
    later(
      'facilitator_unavailable',
      'This request moved no money. Repeat it with the same PAYMENT-SIGNATURE.',
      RETRY_SECONDS,
      cause,
    ),

  /** No payment was sent, and none could be accepted. */
  unsold: () =>
    later(
      'facilitator_unavailable',
      'Reports cannot be sold at the moment. Do not sign a payment yet: repeat this request later.',
    ),

  logUnavailable: (cause?: unknown) =>
    later(
      'log_unavailable',
      'This request moved no money. Repeat it with the same PAYMENT-SIGNATURE: it never charges twice.',
      RETRY_SECONDS,
      cause,
    ),

  /** Other payments for this report were being checked for as long as this request could wait. */
  busy: () =>
    later(
      'rate_limited',
      'This request moved no money. Other payments for this report are being checked. Repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  /** A settlement of this payer failed on the chain. */
  blocked: (milliseconds: number) =>
    wait(
      milliseconds,
      'An earlier payment of this wallet failed. Wait as long as Retry-After says, then repeat this request, or pay from another wallet.',
    ),

  /** The payer's network, or all networks together, started too many payments that came to nothing. */
  tooManyUnpaid: (milliseconds: number) =>
    wait(
      milliseconds,
      'Too many payments failed, from your network or overall. Wait as long as Retry-After says, then repeat this request.',
    ),

  /** Other new payers, from this network or from all networks, are being served. */
  crowded: (milliseconds: number) =>
    wait(
      milliseconds,
      'Other new payers are being served first. Wait as long as Retry-After says, then repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  /** The payer's balance does not cover the price, and the client's network sent too many such payments. */
  unfunded: (milliseconds: number) =>
    wait(
      milliseconds,
      'The wallet has less than the price, and your network sent too many such payments. Add funds to the wallet and repeat this request immediately, or wait as long as Retry-After says.',
    ),

  /**
   * The client's network sent too many payments that required queries to the node and could not be accepted.
   */
  tooManyQuestions: (milliseconds: number) =>
    wait(
      milliseconds,
      'Your network sent too many payments that could not be accepted. Wait as long as Retry-After says, then repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  /** The payer's earlier payments are still in progress. */
  inLine: () =>
    later(
      'rate_limited',
      'This request moved no money. Other payments of this wallet are being settled. Repeat this request with the same PAYMENT-SIGNATURE.',
    ),

  tooManyAttempts: () =>
    later(
      'rate_limited',
      'You were not charged. Too many settlements for this report have failed.',
      3600,
    ),

  gone: () => new ServiceError('test_not_found'),
};

/** The purchase is not possible at the moment, but it is known when it may be possible. */
const wait = (milliseconds: number, detail: string) =>
  later(
    'rate_limited',
    `This request moved no money. ${detail}`,
    Math.max(1, Math.ceil(milliseconds / 1000)),
  );

function later(code: ErrorCode, detail: string, seconds = RETRY_SECONDS, cause?: unknown) {
  return new ServiceError(code, { detail, headers: { 'retry-after': `${seconds}` }, cause });
}
