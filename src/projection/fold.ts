import { initialTransition } from 'xstate';
import { deliveryTest } from '../../machines/delivery-test.ts';
import { reportPayment } from '../../machines/report-payment.ts';
import type { TestEvent } from '../domain/events.ts';
import type { PaymentEvent } from '../domain/payment-events.ts';
import { stepsOf } from './steps.ts';

const [initial] = initialTransition(deliveryTest);
const [untouched] = initialTransition(reportPayment);

/** Where a delivery test stands: the machine's own snapshot. */
export type TestState = typeof initial;

/** Where a report's payment stands: the machine's own snapshot. */
export type PaymentState = typeof untouched;

const stepOfTest = stepsOf(deliveryTest, initial);
const stepOfPayment = stepsOf(reportPayment, untouched);

/** The state after one more event. Pure: the same two give the same third, in any process, any year. */
export function evolve(state: TestState, event: TestEvent): TestState {
  if (event.type === 'HistoryRestored') return fold(event.data.events);
  return stepOfTest(state, event);
}

/** A test's state from its whole log. The follower, replay and the model tests all go through here. */
export function fold(events: readonly TestEvent[]): TestState {
  return events.reduce(evolve, initial);
}

/** The state of a payment after one more event. */
export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  if (event.type === 'HistoryRestored') return foldPayment(event.data.events);
  return stepOfPayment(state, event);
}

/** A payment's state from its whole log. */
export function foldPayment(events: readonly PaymentEvent[]): PaymentState {
  return events.reduce(evolvePayment, untouched);
}

/**
 * The state of a payment so many of whose settlements have failed, whatever they were: what a
 * follower that did not read them folds the next one onto.
 */
export function unpaidAfter(attempts: number): PaymentState {
  return reportPayment.resolveState({
    value: 'unpaid',
    context: { ...untouched.context, attempts },
  });
}
