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

/**
 * The networks of a payer that never paid, which share half of the hour's gas; null: it has paid, and all is for it.
 */
export type Unproven = readonly string[] | null;

/** Everything a settlement needs, from a fresh start or from the log. */
export interface SettlementJob {
  readonly payment: SignedPayment;
  readonly unproven: Unproven;
  /** What was signed in this attempt so far, oldest first. */
  readonly signed: readonly SignedTx[];
  /** Makes a transaction durable; rejects when it is not: then nothing may be sent. */
  recordSigned(tx: SignedTx): Promise<void>;
}

/** How moving the money ended. `unknown`: the chain decides. */
export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly receipt: SettlementResponse }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** A transaction of ours that was mined and failed: it cost gas. */
      readonly reverted?: Hex;
      /** The code at the payer's account refuses what its key has signed (EIP-7702), as the node says. */
      readonly isRefusedByCode?: true;
    };

/** Moves the money: by our own wallet, or by a remote facilitator. */
export interface Settlement {
  readonly mode: 'self' | 'facilitator';
  /** Shows nobody a payment. Rejects when nothing may be started now, for this payer or for any. */
  ready(unproven: Unproven): Promise<void>;
  /**
   * From the start, or on from what was signed before a crash or an unknown outcome. Only what is
   * durably started is handed over: anyone who sees a payment may broadcast it. Answers within so many
   * milliseconds and never rejects.
   */
  settle(job: SettlementJob, withinMs: number): Promise<SettlementOutcome>;
}

/** `payment`: with its signature as the token takes it. */
export type PayerVerdict =
  | { readonly ok: true; readonly payment: SignedPayment }
  | { readonly ok: false; readonly reason: string };

/** What the chain says of one authorization at one block. */
export type ChainOutcome =
  | { readonly state: 'open' | 'dead' | 'cancelled' | 'spent' }
  | { readonly state: 'settled'; readonly receipt: SettlementResponse; readonly block: number };

/** The chain as the judge of unknown outcomes; needed in both modes. Rejects when it does not know. */
export interface PaymentChain {
  /** The payment with its addresses as the chain's own code spells them, whatever their case was. Asks nobody. */
  spell(payment: SignedPayment): SignedPayment;
  /** The number of the newest block, which may be a little old. */
  head(): Promise<number>;
  /** Whether the key of its payer's address signed it: computed here, and no node is asked. */
  isSignedByKey(payment: SignedPayment): Promise<boolean>;
  /**
   * Whether the payer signed it. Of a contract wallet alone the node sees the hash, the signature and what
   * deploys the wallet, which make no transfer without the nonce; of a key's own signature nothing.
   */
  checkSignature(payment: SignedPayment): Promise<PayerVerdict>;
  /**
   * How the authorization ended since a block, or, shown for the first time, in its life: by the transfer to us,
   * or otherwise. Of a contract wallet the node does not hear the nonce: it could send what that has signed.
   */
  ended(payment: SignedPayment, since?: number): Promise<'settled' | 'spent' | undefined>;
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
  balance(payment: {
    readonly requirements: Pick<PaymentRequirements, 'asset'>;
    readonly authorization: Pick<Authorization, 'from'>;
  }): Promise<bigint>;
}

/** A request for a report that passed everything but the question of money. */
export interface ReportRequest {
  readonly testId: string;
  /** In state `ready`, its token shown; `sample` for the reserved id, which needs neither. */
  readonly row: Row | 'sample';
  /** The client's address: what it may claim without paying is shared with its network. */
  readonly ip: string;
  /** The value of `PAYMENT-SIGNATURE` as it came; `undefined` without one. */
  readonly paymentHeader: string | undefined;
  /** The request has an `X-PAYMENT`, the header of version 1: its client has to learn about version 2. */
  readonly hasVersion1?: boolean;
  /**
   * Whether the request may wait for the end of its settlement: its connection is open, and the service goes
   * on. Without it, an outcome that stays unknown is answered at once.
   */
  readonly mayWait?: () => boolean;
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
   * and `rate_limited` carry `retry-after`; `sale_closed` within the closing margin.
   */
  read(request: ReportRequest): Promise<PaidReport>;
  /**
   * Whether money for this test's report may be moving, once a settlement under way had time to end.
   *
   * @throws ServiceError `log_unavailable`
   */
  isSettling(testId: string): Promise<boolean>;
}
