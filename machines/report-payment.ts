/**
 * Defines the state machine of the payment for one report. The state is computed from the events in the log.
 */

import { assertEvent, assign, setup } from 'xstate';

/**
 * An event: when it happened (RFC 3339 in UTC with milliseconds), and the data that the machine reads or
 * keeps.
 */
interface Event<Type extends string, Data> {
  readonly type: Type;
  readonly at: string;
  readonly data: Data;
}

/**
 * The intent to settle a payment. The machine keeps it unchanged, and reads only the number of the attempt,
 * which begins at 1.
 */
interface Settlement {
  attempt: number;
  mode: 'self' | 'facilitator';
  claim: string;
  /** The terms, in the form that x402 defines. */
  requirements: {
    scheme: string;
    network: string;
    amount: string;
    asset: string;
    payTo: string;
    maxTimeoutSeconds: number;
    extra?: Record<string, unknown>;
  };
  /** The data that the payer signed (EIP-3009). */
  payload: {
    signature: string;
    authorization: {
      from: string;
      to: string;
      value: string;
      validAfter: string;
      validBefore: string;
      nonce: string;
    };
  };
  echoed?: boolean;
  from_block: number;
  report_expires_at: string | null;
}

/** A transaction that is signed and may be sent. */
interface Transaction {
  attempt: number;
  transaction: string;
  raw: string;
  wallet: string;
  wallet_nonce: number;
  gas: string;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  replaces?: string;
}

/** A payment whose money has moved. */
interface Payment {
  attempt: number;
  /** The receipt, in the form that x402 defines. */
  receipt: {
    success: boolean;
    transaction: string;
    network: string;
    payer?: string;
    amount?: string;
    errorReason?: string;
    errorMessage?: string;
  };
  block?: number;
  found_by: 'settle' | 'reconcile';
  late: boolean;
}

/** A settlement whose money can no longer move. */
interface Failure {
  attempt: number;
  reason: 'expired' | 'cancelled' | 'refused';
  error: string;
  transaction?: string;
}

/**
 * The chain's evidence about a payment whose history is damaged. `null` means that no money has moved or can
 * move.
 */
interface Closing {
  attempt: number;
  settled: {
    started: Settlement;
    receipt: Payment['receipt'];
    block: number;
    late: boolean;
  } | null;
}

/**
 * Everything that can happen to the payment for one report. A stored event has more members, which change
 * nothing here.
 */
export type ReportPaymentEvent =
  | Event<'SettlementStarted', Settlement>
  | Event<'TransactionSigned', Transaction>
  | Event<'PaymentSettled', Payment>
  | Event<'SettlementFailed', Failure>
  | Event<'PaymentClosed', Closing>;

/** The data that the machine keeps from the events of one report's payment. */
export interface PaymentContext {
  /** Number of settlements started so far. */
  readonly attempts: number;
  /** The settlement in progress, or the one that was paid. */
  readonly started: Settlement | null;
  readonly startedAt: string | null;
  /** Transactions signed in this attempt, oldest first. */
  readonly signed: readonly Transaction[];
  /** Time of the last event. If it is more than 30 s ago, another replica may take over the work. */
  readonly at: string | null;
  readonly settled: Payment | null;
  readonly failed: Failure | null;
}

const initial: PaymentContext = {
  attempts: 0,
  started: null,
  startedAt: null,
  signed: [],
  at: null,
  settled: null,
  failed: null,
};

const { createMachine } = setup({
  types: { context: {} as PaymentContext, events: {} as ReportPaymentEvent },
  guards: {
    /**
     * True if the settlement is the next one for this report: there was none before, or the earlier one
     * failed.
     */
    nextAttempt: ({ context, event }) => event.data.attempt === context.attempts + 1,
    /** True if the event belongs to the settlement that is running now. */
    sameAttempt: ({ context, event }) => event.data.attempt === context.attempts,
    /** True if the chain shows a transfer to us. */
    hasPaid: ({ event }) => event.type === 'PaymentClosed' && event.data.settled !== null,
  },
  actions: {
    recordStart: assign(({ event }) => {
      assertEvent(event, 'SettlementStarted');
      const { at, data } = event;
      return { attempts: data.attempt, started: data, startedAt: at, at, signed: [], failed: null };
    }),
    recordTransaction: assign(({ context, event }) => {
      assertEvent(event, 'TransactionSigned');
      return { at: event.at, signed: [...context.signed, event.data] };
    }),
    recordPayment: assign(({ event }) => {
      assertEvent(event, 'PaymentSettled');
      return { at: event.at, settled: event.data };
    }),
    recordFailure: assign(({ event }) => {
      assertEvent(event, 'SettlementFailed');
      return { at: event.at, started: null, failed: event.data };
    }),
    /** Records what the chain shows, regardless of what was known about the settlements before. */
    recordClosing: assign(({ event }) => {
      assertEvent(event, 'PaymentClosed');
      const { at, data } = event;
      const { attempt, settled } = data;
      const closed = { at, attempts: attempt, startedAt: at, signed: [] };
      if (!settled)
        return {
          ...closed,
          started: null,
          failed: { attempt, reason: 'expired' as const, error: 'payment_closed' },
        };
      const { started, receipt, block, late } = settled;
      return {
        ...{ ...closed, started, failed: null },
        settled: { attempt, receipt, block, found_by: 'reconcile' as const, late },
      };
    }),
  },
});

/**
 * The payment for one report. Pure, like `delivery-test.ts`: the chain decides, and the machine only says
 * which of the chain's verdicts is possible now. `paid` is final: nothing is ever charged after it.
 */
export const reportPayment = createMachine({
  id: 'reportPayment',
  description: 'One payment: one report, settled at most once.',
  context: initial,
  initial: 'unpaid',
  states: {
    unpaid: {
      description:
        'No money can move: nothing was started, or the last settlement failed for good.',
      on: {
        SettlementStarted: { guard: 'nextAttempt', target: 'settling', actions: 'recordStart' },
        PaymentClosed: [
          { guard: 'hasPaid', target: 'paid', actions: 'recordClosing' },
          { actions: 'recordClosing' },
        ],
      },
    },
    settling: {
      description: 'Money may move or may have moved: the chain decides.',
      on: {
        TransactionSigned: { guard: 'sameAttempt', actions: 'recordTransaction' },
        PaymentSettled: { guard: 'sameAttempt', target: 'paid', actions: 'recordPayment' },
        SettlementFailed: { guard: 'sameAttempt', target: 'unpaid', actions: 'recordFailure' },
        PaymentClosed: [
          { guard: 'hasPaid', target: 'paid', actions: 'recordClosing' },
          { target: 'unpaid', actions: 'recordClosing' },
        ],
      },
    },
    paid: {
      description: 'The money has moved: the report is open, and nothing more is charged.',
      type: 'final',
    },
  },
});
