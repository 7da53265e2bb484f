import { assertEvent, assign, setup } from 'xstate';
import type { OriginalPaymentEvent, PaymentEventOf } from '../src/domain/payment-events.ts';

/** What the events of one report's payment leave behind. */
export interface PaymentContext {
  /** Settlements started so far. */
  readonly attempts: number;
  /** The settlement in progress, or the one that paid. */
  readonly started: PaymentEventOf<'SettlementStarted'>['data'] | null;
  readonly startedAt: string | null;
  /** Transactions signed in this attempt, oldest first. */
  readonly signed: readonly PaymentEventOf<'TransactionSigned'>['data'][];
  /** Last event's instant: a replica that finds it older than 30 s may take the work over. */
  readonly at: string | null;
  readonly settled: PaymentEventOf<'PaymentSettled'>['data'] | null;
  readonly failed: PaymentEventOf<'SettlementFailed'>['data'] | null;
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
  types: { context: {} as PaymentContext, events: {} as OriginalPaymentEvent },
  guards: {
    /** The settlement is the next one of this report: an earlier one has failed, or there was none. */
    nextAttempt: ({ context, event }) => event.data.attempt === context.attempts + 1,
    /** The event is of the settlement that runs now. */
    sameAttempt: ({ context, event }) => event.data.attempt === context.attempts,
    /** The chain shows a transfer to us. */
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
    /** What the chain shows, whatever is known of the settlements before. */
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
 * The payment of one report. Pure, as `delivery-test.ts` is: the chain decides, this only says which
 * of its verdicts fits. `paid` is final: nothing is ever charged after it.
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
      description: 'Money may move or have moved: the chain decides.',
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
      description: 'The money has moved: the report is open, and nothing is charged any more.',
      type: 'final',
    },
  },
});
