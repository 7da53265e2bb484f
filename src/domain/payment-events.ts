/** Declares the events of the payment for a report. */

import { type Static, Type } from '@sinclair/typebox';
import { event, historyRestored, Instant } from './envelope.ts';
import { guard } from './guard.ts';
import { Authorization, Hash, Hex, PaymentRequirements, SettlementResponse } from './x402.ts';

/** Counted from 1 for each report. A new attempt begins only after a definitive failure. */
const attempt = Type.Integer({ minimum: 1 });
const Wei = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });

const settlement = {
  attempt,
  mode: Type.Union([Type.Literal('self'), Type.Literal('facilitator')]),
  /** Key in `payment_claims`: this authorization belongs to this report. */
  claim: Type.String(),
  /** Our own terms, never the client's copy. */
  requirements: PaymentRequirements,
  payload: Type.Object({ signature: Hex, authorization: Authorization }),
  /** True if the client repeated our discovery extension. Absent if it did not. */
  echoed: Type.Optional(Type.Boolean()),
  /** Block from which the chain is searched if the outcome is unknown. */
  from_block: Type.Integer({ minimum: 0 }),
  /** `null` for the sample, which does not expire. */
  report_expires_at: Type.Union([Instant, Type.Null()]),
};

/** The intent. It is durable before anything is verified as spent or sent to the chain. */
const SettlementStarted = event('SettlementStarted', settlement);

/** One of our transactions, signed but not yet sent. Any replica can send it again. */
const TransactionSigned = event('TransactionSigned', {
  attempt,
  transaction: Hash,
  raw: Hex,
  wallet: Hex,
  wallet_nonce: Type.Integer({ minimum: 0 }),
  gas: Wei,
  max_fee_per_gas: Wei,
  max_priority_fee_per_gas: Wei,
  /** The transaction whose place (wallet nonce) this one takes with higher fees. */
  replaces: Type.Optional(Hash),
});

/** The money has moved. From then on, `receipt` is served unchanged. */
const PaymentSettled = event('PaymentSettled', {
  attempt,
  receipt: SettlementResponse,
  block: Type.Optional(Type.Integer({ minimum: 0 })),
  found_by: Type.Union([Type.Literal('settle'), Type.Literal('reconcile')]),
  /**
   * True if this was learnt only after the report was deleted. These payments are the operator's refund list.
   */
  late: Type.Boolean(),
});

/** The money can no longer move. Nothing else may be recorded as a failure. */
const SettlementFailed = event('SettlementFailed', {
  attempt,
  reason: Type.Union([Type.Literal('expired'), Type.Literal('cancelled'), Type.Literal('refused')]),
  /** The upstream's own code, passed through. */
  error: Type.String({ maxLength: 300 }),
  transaction: Type.Optional(Hash),
});

/**
 * An operator has closed a damaged history with what the chain shows about its authorizations. It replaces
 * everything before it that cannot be read.
 */
const PaymentClosed = event('PaymentClosed', {
  /** The settlement that paid, or the last one that may have been started. A new one comes after it. */
  attempt,
  /** The settlement that paid. `null` means that none of them has moved money, or can. */
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

/** Everything that can happen to the payment for one report. */
export const OriginalPaymentEvent = Type.Union([
  SettlementStarted,
  TransactionSigned,
  PaymentSettled,
  SettlementFailed,
  PaymentClosed,
]);
export type OriginalPaymentEvent = Static<typeof OriginalPaymentEvent>;

/** The messages on `payments.<id>`: what happened, or a damaged history that was repaired. */
const PaymentEvent = Type.Union([OriginalPaymentEvent, historyRestored(OriginalPaymentEvent)]);
export type PaymentEvent = Static<typeof PaymentEvent>;

/** The event of one type. */
export type PaymentEventOf<Name extends PaymentEvent['type']> = Extract<
  PaymentEvent,
  { type: Name }
>;

/** Returns whether a value may be stored or folded. Used on append and on read. */
export const isPaymentEvent = guard(PaymentEvent);

/** The owner of a payer's authorization. */
const Claim = Type.Object({
  /** The payment's id, as in `payments.<id>`. */
  id: Type.String(),
  at: Type.String(),
  by: Type.String(),
  /** Block from which the chain is searched for it. */
  from_block: Type.Number(),
  /** SHA-256 of the signature that was checked before, in hex. Absent from claims of older versions. */
  signature_sha256: Type.Optional(Type.String()),
});
export type Claim = Static<typeof Claim>;
export const isClaim = guard(Claim);
