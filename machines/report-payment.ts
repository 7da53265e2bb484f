import { assign, setup } from 'xstate';
import type { PaymentEvent, PaymentEventOf } from '../src/domain/payment-events.ts';

/** What the events of one report's payment leave behind. */
export interface PaymentContext {
  /** Settlements started so far. */
  readonly attempts: number;
  /** The settlement in progress, or the one that paid. */
  readonly started: PaymentEventOf<'SettlementStarted'>['data'] | null;
  readonly startedAt: string | null;
  /** Transactions signed in this attempt, oldest first. */
  readonly signed: readonly PaymentEventOf<'TransactionSigned'>['data'][];
  /** Last event's instant: whoever finds it older than 30 s may take the work over. */
  readonly at: string | null;
  readonly settled: PaymentEventOf<'PaymentSettled'>['data'] | null;
  readonly failed: PaymentEventOf<'SettlementFailed'>['data'] | null;
}

const untouched: PaymentContext = {
  attempts: 0,
  started: null,
  startedAt: null,
  signed: [],
  at: null,
  settled: null,
  failed: null,
};

const { createMachine } = setup({
  types: { context: {} as PaymentContext, events: {} as PaymentEvent },
  guards: {
    nextAttempt: ({ context, event }) => event.data.attempt === context.attempts + 1,
    sameAttempt: ({ context, event }) => event.data.attempt === context.attempts,
  },
});

/**
 * The life of one report's payment. Pure, as `delivery-test.ts` is: the chain decides, this only
 * says which of its verdicts fits. `paid` is final: nothing is ever charged after it.
 */
export const reportPayment = createMachine({
  id: 'reportPayment',
  context: untouched,
  initial: 'unpaid',
  states: {
    unpaid: {
      on: {
        SettlementStarted: {
          guard: 'nextAttempt',
          target: 'settling',
          actions: assign(({ event }) => ({
            attempts: event.data.attempt,
            started: event.data,
            startedAt: event.at,
            at: event.at,
            signed: [],
            failed: null,
          })),
        },
      },
    },
    settling: {
      on: {
        TransactionSigned: {
          guard: 'sameAttempt',
          actions: assign(({ context, event }) => ({
            at: event.at,
            signed: [...context.signed, event.data],
          })),
        },
        PaymentSettled: {
          guard: 'sameAttempt',
          target: 'paid',
          actions: assign(({ event }) => ({ at: event.at, settled: event.data })),
        },
        SettlementFailed: {
          guard: 'sameAttempt',
          target: 'unpaid',
          actions: assign(({ event }) => ({ at: event.at, started: null, failed: event.data })),
        },
      },
    },
    paid: { type: 'final' },
  },
});
