import type { PaymentEventOf } from '../domain/payment-events.ts';
import type { Report } from '../domain/report/report.ts';
import type {
  Authorization,
  Hex,
  PaymentRequirements,
  SettlementResponse,
} from '../domain/x402.ts';
import type { Row } from '../projection/row.ts';

/** A signed payment, checked against its schema and against our terms. */
export interface SignedPayment {
  readonly requirements: PaymentRequirements;
  readonly signature: Hex;
  readonly authorization: Authorization;
  /** The client repeated our discovery extension: a facilitator may learn what is sold. */
  readonly echoed?: boolean;
}

/** A transaction of ours, durable before it is sent. */
export type SignedTx = Omit<PaymentEventOf<'TransactionSigned'>['data'], 'attempt'>;

/** Everything a settlement needs, from a fresh start or from the log. */
export interface SettlementJob {
  readonly payment: SignedPayment;
  /** What was signed in this attempt so far, oldest first. */
  readonly signed: readonly SignedTx[];
  /** Makes a transaction durable; rejects when it is not: then nothing may be sent. */
  recordSigned(tx: SignedTx): Promise<void>;
}

export type PaymentVerdict =
  /** `code`: hash of the code of a contract wallet, when it is known. */
  | { readonly ok: true; readonly code?: string }
  | { readonly ok: false; readonly reason: string; readonly message?: string };

/**
 * How settling ended. `refused`: definitive, and only when nothing was signed in this attempt;
 * `unknown`: the chain decides.
 */
export type Outcome =
  | { readonly kind: 'settled'; readonly receipt: SettlementResponse }
  /** `upstream`: nobody's payment was at fault. */
  | { readonly kind: 'refused'; readonly reason: string; readonly upstream?: boolean }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly transaction?: Hex;
      /** A transaction of ours was mined and failed: it cost gas. */
      readonly reverted?: boolean;
    };

/**
 * Moves the money: by our own wallet, or by a remote facilitator. Each answer comes within so many
 * milliseconds.
 */
export interface Settlement {
  readonly mode: 'self' | 'facilitator';
  /** Rejects when nothing may be started now. */
  ready(): Promise<void>;
  /** Rejects for an upstream failure: nobody's fault, nothing started. */
  verify(payment: SignedPayment, withinMs: number): Promise<PaymentVerdict>;
  /** Never rejects. */
  settle(job: SettlementJob, withinMs: number): Promise<Outcome>;
  /** After a crash or an unknown outcome. Never rejects. */
  resume(job: SettlementJob, withinMs: number): Promise<Outcome>;
}

/** What the chain says of one authorization at one block. */
export type ChainOutcome =
  | { readonly state: 'open' | 'dead' | 'cancelled' | 'spent' }
  | { readonly state: 'settled'; readonly receipt: SettlementResponse; readonly block: number };

/** The chain as the judge of unknown outcomes; needed in both modes. Rejects when it does not know. */
export interface PaymentChain {
  head(): Promise<{ readonly number: number; readonly timestamp: number }>;
  /** Number of the newest block that no reorganisation can undo. */
  finalized(): Promise<number>;
  /**
   * The block of a transaction that is said to have paid; `undefined` when its receipt and the nonce's
   * state do not both show it.
   */
  confirm(payment: SignedPayment, transaction: string): Promise<number | undefined>;
  /** @param ours transactions of ours for it: none may have paid when it is over without a payment */
  outcome(
    payment: SignedPayment,
    fromBlock: number,
    ours?: readonly string[],
  ): Promise<ChainOutcome>;
  /** What the payer has of the asset, in atomic units. */
  balance(payment: SignedPayment): Promise<bigint>;
}

/** A request for a report that passed everything but the question of money. */
export interface ReportRequest {
  readonly testId: string;
  /** In state `ready`, its token shown; `sample` for the reserved id, which needs neither. */
  readonly row: Row | 'sample';
  /** The value of `PAYMENT-SIGNATURE` as it came; `undefined` without one. */
  readonly paymentHeader: string | undefined;
}

/** A report that is paid for, earlier or by this request; or one that is free. */
export interface PaidReport {
  readonly report: Report;
  /** The content of `PAYMENT-RESPONSE`; missing where nothing is sold. */
  readonly receipt?: SettlementResponse;
}

/** Decides whether a report may be read, and takes the payment for it. */
export interface Settler {
  /**
   * @throws ServiceError with the headers and members of the answer: `payment_required`,
   * `payment_invalid` and `invalid_request` carry `payment-required`, a definitive failure
   * `payment-response` as well; `settlement_pending`, `facilitator_unavailable`, `log_unavailable`
   * and `rate_limited` carry `retry-after`; `test_not_found` within the closing margin.
   */
  read(request: ReportRequest): Promise<PaidReport>;
  /**
   * Whether money for this test's report may be moving, once a settlement under way had time to end.
   *
   * @throws ServiceError `log_unavailable`
   */
  isSettling(testId: string): Promise<boolean>;
}
