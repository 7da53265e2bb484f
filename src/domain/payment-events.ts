/**
 * Declares the events that record the payment for a report, and the claim that ties an authorization to one
 * report.
 */

import { type Static, Type } from '@sinclair/typebox';
import { event, historyRestored, Instant } from './envelope.ts';
import { guard } from './guard.ts';
import { Authorization, Hash, Hex, PaymentRequirements, SettlementResponse } from './x402.ts';

/**
 * Number of a settlement attempt, counted from 1 for each report. A new attempt begins only after the
 * previous one has definitively failed.
 */
const attempt = Type.Integer({ minimum: 1 });
const Wei = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });

const settlement = {
  attempt,
  mode: Type.Union([Type.Literal('self'), Type.Literal('facilitator')]),
  /** Key in `payment_claims`, which records that this authorization belongs to this report. */
  claim: Type.String(),
  /** Our own payment terms, never the client's copy of them. */
  requirements: PaymentRequirements,
  payload: Type.Object({ signature: Hex, authorization: Authorization }),
  /** True if the client repeated our discovery extension; otherwise absent. */
  echoed: Type.Optional(Type.Boolean()),
  /** Number of the block from which the chain is searched if the outcome is unknown. */
  from_block: Type.Integer({ minimum: 0 }),
  /** When the report is deleted; `null` for the sample, which does not expire. */
  report_expires_at: Type.Union([Instant, Type.Null()]),
};

/**
 * Records the intent to settle. The event is durable before we send the payment to the chain, or to anyone
 * who could send it there.
 */
const SettlementStarted = event('SettlementStarted', settlement);

/** Records one of our transactions, which is signed but not yet sent. Any replica can send it again. */
const TransactionSigned = event('TransactionSigned', {
  attempt,
  transaction: Hash,
  raw: Hex,
  wallet: Hex,
  wallet_nonce: Type.Integer({ minimum: 0 }),
  gas: Wei,
  max_fee_per_gas: Wei,
  max_priority_fee_per_gas: Wei,
  /** The earlier transaction that this one replaces, with the same wallet nonce and higher fees. */
  replaces: Type.Optional(Hash),
});

/** Records that the money has moved. From then on, `receipt` is served unchanged. */
const PaymentSettled = event('PaymentSettled', {
  attempt,
  receipt: SettlementResponse,
  block: Type.Optional(Type.Integer({ minimum: 0 })),
  found_by: Type.Union([Type.Literal('settle'), Type.Literal('reconcile')]),
  /**
   * True if the payment was discovered only after the report was deleted. These payments are the operator's
   * refund list.
   */
  late: Type.Boolean(),
});

/** Records that the money can no longer move. Nothing else may be recorded as a failure. */
const SettlementFailed = event('SettlementFailed', {
  attempt,
  reason: Type.Union([Type.Literal('expired'), Type.Literal('cancelled'), Type.Literal('refused')]),
  /** A code for the reason of the failure, such as `authorization_expired`. */
  error: Type.String({ maxLength: 300 }),
  transaction: Type.Optional(Hash),
});

/**
 * Records that an operator has closed a damaged history with what the chain shows about its authorizations.
 * The event replaces everything before it that cannot be read.
 */
const PaymentClosed = event('PaymentClosed', {
  /**
   * Number of the settlement that paid, or of the last one that may have been started. A new settlement gets
   * a higher number.
   */
  attempt,
  /** The settlement that paid. `null` means that no settlement has moved money, and none can. */
  settled: Type.Union([
    Type.Object({
      started: Type.Object(settlement),
      receipt: SettlementResponse,
      block: Type.Integer({ minimum: 0 }),
      late: Type.Boolean(),
    }),
    Type.Null(),
  ]),
});

/** Every event that the payment for one report can have. */
export const OriginalPaymentEvent = Type.Union([
  SettlementStarted,
  TransactionSigned,
  PaymentSettled,
  SettlementFailed,
  PaymentClosed,
]);
export type OriginalPaymentEvent = Static<typeof OriginalPaymentEvent>;

/** The messages on `payments.<id>`: original events, or a damaged history that was repaired. */
const PaymentEvent = Type.Union([OriginalPaymentEvent, historyRestored(OriginalPaymentEvent)]);
export type PaymentEvent = Static<typeof PaymentEvent>;

/** The payment event whose type is `Name`. */
export type PaymentEventOf<Name extends PaymentEvent['type']> = Extract<
  PaymentEvent,
  { type: Name }
>;

/** Returns whether a value is a payment event, which may be stored or folded. Used on append and on read. */
export const isPaymentEvent = guard(PaymentEvent);

/** An entry of the bucket `payment_claims`: the payment that a payer's authorization belongs to. */
const Claim = Type.Object({
  /** The payment's id, as in `payments.<id>`. */
  id: Type.String(),
  at: Type.String(),
  by: Type.String(),
  /** Number of the block from which the chain is searched for the authorization. */
  from_block: Type.Number(),
  /** SHA-256, in hex, of the signature that was checked before. Absent from claims of older versions. */
  signature_sha256: Type.Optional(Type.String()),
});
export type Claim = Static<typeof Claim>;
export const isClaim = guard(Claim);
