/** Folds the events of tests and payments into their states, with the state machines. */

import { initialTransition } from 'xstate';
import { deliveryTest } from '../../machines/delivery-test.ts';
import { reportPayment } from '../../machines/report-payment.ts';
import type { TestEvent } from '../domain/events.ts';
import type { PaymentEvent } from '../domain/payment-events.ts';
import { stepsOf } from './steps.ts';

const [initial] = initialTransition(deliveryTest);
const [untouched] = initialTransition(reportPayment);

/** The state of a delivery test: the machine's own snapshot. */
export type TestState = typeof initial;

/** The state of a report's payment: the machine's own snapshot. */
export type PaymentState = typeof untouched;

const stepOfTest = stepsOf(deliveryTest, initial);
const stepOfPayment = stepsOf(reportPayment, untouched);

/**
 * Returns the state after one more event. The same state and event always give the same result, in any
 * process and at any time.
 */
export function evolve(state: TestState, event: TestEvent): TestState {
  if (event.type === 'HistoryRestored') return fold(event.data.events);
  return stepOfTest(state, event);
}

/**
 * Returns a test's state after all events of its log. The follower, replay and the model tests all use it.
 */
export function fold(events: readonly TestEvent[]): TestState {
  return events.reduce(evolve, initial);
}

/** Returns the state of a payment after one more event. */
export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  if (event.type === 'HistoryRestored') return foldPayment(event.data.events);
  return stepOfPayment(state, event);
}

/** Returns the state of a payment after all events of its log. */
export function foldPayment(events: readonly PaymentEvent[]): PaymentState {
  return events.reduce(evolvePayment, untouched);
}

/**
 * Returns the state of a payment after the given number of failed settlements, whatever they were. A follower
 * that did not read them folds the next one onto this state.
 */
export function unpaidAfter(attempts: number): PaymentState {
  return reportPayment.resolveState({
    value: 'unpaid',
    context: { ...untouched.context, attempts },
  });
}
