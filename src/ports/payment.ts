/** Declares the ports through which a report is paid for, money is moved, and the chain is queried. */

import type { PaymentEventOf } from '../domain/payment-events.ts';
import type { Report } from '../domain/report/report.ts';
import type {
  Authorization,
  Hex,
  PaymentRequirements,
  SettlementResponse,
} from '../domain/x402.ts';
import type { Row } from '../projection/row.ts';

/** A signed payment that was checked against its schema and against our terms. */
export interface SignedPayment {
  readonly requirements: PaymentRequirements;
  readonly signature: Hex;
  readonly authorization: Authorization;
  /** True if the client repeated our discovery extension. If so, a facilitator may learn what is sold. */
  readonly echoed?: boolean;
}

/** A transaction of ours, which is durable before it is sent. */
export type SignedTx = Omit<PaymentEventOf<'TransactionSigned'>['data'], 'attempt'>;

/**
 * The networks of a payer that has never paid, which share half of the hour's gas. Null means that the payer
 * has paid and may use all of it.
 */
export type Unproven = readonly string[] | null;

/** Everything that a settlement needs, from a fresh start or from the log. */
export interface SettlementJob {
  readonly payment: SignedPayment;
  readonly unproven: Unproven;
  /** The transactions signed in this attempt so far, oldest first. */
  readonly signed: readonly SignedTx[];
  /** Makes a transaction durable. If this rejects, the transaction must not be sent. */
  recordSigned(tx: SignedTx): Promise<void>;
}

/** How moving the money ended. `unknown` means that the chain decides. */
export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly receipt: SettlementResponse }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** A transaction of ours that was mined and failed. It cost gas. */
      readonly reverted?: Hex;
      /** The node says that the code at the payer's account refuses what its key has signed (EIP-7702). */
      readonly isRefusedByCode?: true;
    };

/** Moves the money, with our own wallet or through a remote facilitator. */
export interface Settlement {
  readonly mode: 'self' | 'facilitator';
  /** Rejects if nothing may be started now, for this payer or for any. It shows no payment to anyone. */
  ready(unproven: Unproven): Promise<void>;
  /**
   * Settles from the start, or continues from what was signed before a crash or an unknown outcome. Pass only
   * a settlement whose start is durable, because anyone who sees a payment may broadcast it. Resolves within
   * this many milliseconds and never rejects.
   */
  settle(job: SettlementJob, withinMs: number): Promise<SettlementOutcome>;
}

/** The verdict on a signature. `payment` carries the signature in the form that the token accepts. */
export type PayerVerdict =
  | { readonly ok: true; readonly payment: SignedPayment }
  | { readonly ok: false; readonly reason: string };

/** The outcome of one authorization according to the chain at one block. */
export type ChainOutcome =
  | { readonly state: 'open' | 'dead' | 'cancelled' | 'spent' }
  | { readonly state: 'settled'; readonly receipt: SettlementResponse; readonly block: number };

/** The chain as the judge of unknown outcomes, used in both modes. Rejects when it does not know. */
export interface PaymentChain {
  /**
   * Returns the payment with its addresses spelled as the chain's own code does, whatever their letter case
   * was. It queries no node.
   */
  spell(payment: SignedPayment): SignedPayment;
  /** Returns the number of the newest block, which may be slightly old. */
  head(): Promise<number>;
  /**
   * Returns whether the key of the payer's address signed the payment. This is computed here, without a node.
   */
  isSignedByKey(payment: SignedPayment): Promise<boolean>;
  /**
   * Returns whether the payer signed the payment. For a contract wallet, the node sees the hash, the
   * signature and the deployment data, which cannot move money without the nonce. For an ordinary key it sees
   * nothing.
   */
  checkSignature(payment: SignedPayment): Promise<PayerVerdict>;
  /**
   * Returns how the authorization ended since a block, or at all if it is new here: by the transfer to us, or
   * otherwise. For a contract wallet, the node does not learn the nonce, because it could then send what the
   * wallet has signed.
   */
  ended(payment: SignedPayment, since?: number): Promise<'settled' | 'spent' | undefined>;
  /**
   * Returns the block of a transaction that is said to have paid, or `undefined` unless both its receipt and
   * the state of the nonce show it.
   */
  confirm(payment: SignedPayment, transaction: string): Promise<number | undefined>;
  /**
   * @param ours our transactions for this authorization: if it is over without a payment, none of them may
   * have paid
   */
  outcome(
    payment: SignedPayment,
    fromBlock: number,
    ours?: readonly string[],
  ): Promise<ChainOutcome>;
  /** Returns how much of the asset the payer holds, in atomic units. */
  balance(payment: {
    readonly requirements: Pick<PaymentRequirements, 'asset'>;
    readonly authorization: Pick<Authorization, 'from'>;
  }): Promise<bigint>;
}

/** A request for a report in which everything except the payment has been checked. */
export interface ReportRequest {
  readonly testId: string;
  /** A test in state `ready` whose token was sent; `sample` for the reserved id, which needs neither. */
  readonly row: Row | 'sample';
  /** The client's address. Whatever it may claim without paying is shared with its network. */
  readonly ip: string;
  /** The value of `PAYMENT-SIGNATURE` as received; `undefined` if absent. */
  readonly paymentHeader: string | undefined;
  /**
   * True if the request has an `X-PAYMENT` header, as in version 1: its client has to learn about version 2.
   */
  readonly hasVersion1?: boolean;
  /**
   * Returns whether the request may wait for the end of its settlement, because its connection is open and
   * the service keeps running. If absent, an unknown outcome is reported immediately.
   */
  readonly mayWait?: () => boolean;
}

/** A report that is free, or paid for by this or an earlier request. */
export interface PaidReport {
  readonly report: Report;
  /** The content of `PAYMENT-RESPONSE`. Absent if reports are free. */
  readonly receipt?: SettlementResponse;
}

/** Decides whether a report may be read, and takes the payment for it. */
export interface Settler {
  /**
   * Returns the report if it is free or already paid for. Otherwise, settles the payment in the request
   * first.
   *
   * @throws ServiceError with the headers and members of the response: `payment_required`, `payment_invalid`
   * and `invalid_request` carry `payment-required`, and a definitive failure also `payment-response`;
   * `settlement_pending`, `facilitator_unavailable`, `log_unavailable` and `rate_limited` carry
   * `retry-after`; `sale_closed` within the closing margin.
   */
  read(request: ReportRequest): Promise<PaidReport>;
  /**
   * Returns whether money for this test's report may be moving, after giving a settlement in progress time to
   * end.
   *
   * @throws ServiceError `log_unavailable`
   */
  isSettling(testId: string): Promise<boolean>;
}
