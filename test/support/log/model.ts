/** Models of the two state machines, with every event that can be tried in each state. */

import { initialTransition, transition } from 'xstate';
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph';
import { deliveryTest } from '../../../machines/delivery-test.ts';
import { reportPayment } from '../../../machines/report-payment.ts';
import type { OriginalTestEvent } from '../../../src/domain/events.ts';
import type { OriginalPaymentEvent } from '../../../src/domain/payment-events.ts';
import type { PaymentState, TestState } from '../../../src/projection/fold.ts';
import { anEvent, aPaymentEvent } from './events.ts';
import { keyOf, labelOf, modelOf, nameOf, type Pair } from './walks.ts';

/** Returns everything that can be tried in any state. The machine decides what is allowed. */
function testEventsFor({ context }: TestState): OriginalTestEvent[] {
  const arrival = Math.min(3, context.attempts + 1);
  const current = Math.max(1, context.attempts);
  return [
    anEvent('TestCreated'),
    anEvent('MailArrived', 60, { attempt: arrival }),
    anEvent('MailArrived', 3600, { attempt: arrival }),
    anEvent('MailRefused', 60),
    anEvent('RefusalTimeout', 960),
    anEvent('WindowClosed', 3600),
    ...[current, current === 1 ? 2 : 1].flatMap((attempt) => [
      anEvent('AnalysisDone', 61, { attempt }),
      anEvent('AnalysisFailed', 61, { attempt }),
      anEvent('AnalysisTimeout', 120, { attempt }),
    ]),
    anEvent('Expired', 86_400),
    anEvent('TestDeleted', 4000),
  ];
}

/** Settlements that the model tries for one report. */
const ATTEMPTS = 2;

function paymentEventsFor({ context }: PaymentState): OriginalPaymentEvent[] {
  const last = Math.max(1, context.attempts);
  // To close a payment in the same way again leaves the same state.
  const isClosed = context.failed?.error === 'payment_closed';
  const closings = [
    aPaymentEvent('PaymentClosed', 4, { attempt: last }),
    ...(isClosed ? [] : [aPaymentEvent('PaymentClosed', 5, { attempt: last, settled: null })]),
  ];
  const settlements = [1, 2, 3].flatMap((attempt) => [
    ...(attempt <= ATTEMPTS ? [aPaymentEvent('SettlementStarted', 0, { attempt })] : []),
    ...(context.signed.length < 2 ? [aPaymentEvent('TransactionSigned', 1, { attempt })] : []),
    aPaymentEvent('PaymentSettled', 2, { attempt }),
    aPaymentEvent('SettlementFailed', 3, { attempt }),
  ]);
  return [...settlements, ...closings];
}

const graph = {
  serializeState: keyOf,
  serializeEvent: labelOf,
  /** Largest number of steps. A machine that needs more never ends. */
  limit: 3000,
};

type TestPairs = readonly Pair<OriginalTestEvent, TestState>[];
type PaymentPairs = readonly Pair<OriginalPaymentEvent, PaymentState>[];

const testWalks = {
  ...graph,
  events: testEventsFor,
  // More refusals show nothing new, except for the sixteenth.
  stopWhen: ({ context }: TestState) => (context.refusal?.count ?? 0) > 2,
};

export const testModel = modelOf<OriginalTestEvent, TestState>({
  name: 'delivery-test',
  beginning: 'TestCreated',
  initial: initialTransition(deliveryTest)[0],
  eventsFor: testEventsFor,
  next: (state, event) => transition(deliveryTest, state, event)[0],
  pairs: () =>
    adjacencyMapToArray(
      getAdjacencyMap(deliveryTest, {
        ...graph,
        events: testEventsFor,
        serializeState: (state: TestState) =>
          `${nameOf(state)} ${state.context.attempts} ${state.context.refusal?.count ?? 0}`,
      }),
      // The events are complete, as they were given. The machine's own type names what it reads of them.
    ) as unknown as TestPairs,
  walkedPairs: () =>
    adjacencyMapToArray(getAdjacencyMap(deliveryTest, testWalks)) as unknown as TestPairs,
  also: [
    [
      anEvent('TestCreated'),
      ...Array.from({ length: 17 }, () => anEvent('MailRefused', 60)),
      anEvent('MailArrived', 60),
    ],
  ],
});

const paymentTries = { ...graph, events: paymentEventsFor };

const paymentPairs = () =>
  adjacencyMapToArray(getAdjacencyMap(reportPayment, paymentTries)) as unknown as PaymentPairs;

export const paymentModel = modelOf<OriginalPaymentEvent, PaymentState>({
  name: 'report-payment',
  beginning: 'SettlementStarted',
  initial: initialTransition(reportPayment)[0],
  eventsFor: paymentEventsFor,
  next: (state, event) => transition(reportPayment, state, event)[0],
  pairs: paymentPairs,
  walkedPairs: paymentPairs,
});
