import { type AnyActorScope, type AnyStateMachine, createActor, initialTransition } from 'xstate';
import { deliveryTest } from '../../machines/delivery-test.ts';
import { reportPayment } from '../../machines/report-payment.ts';
import type { TestEvent } from '../domain/events.ts';
import type { PaymentEvent } from '../domain/payment-events.ts';

/**
 * What a machine asks of the actor it runs in, and a pure one never uses. `transition` of the
 * library makes one for each event, which costs five times the transition itself.
 */
function inertScope(machine: AnyStateMachine): AnyActorScope {
  const self = createActor(machine);
  return {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    actionExecutor: () => {},
    stopChild() {
      throw new Error('A machine that only folds has no children.');
    },
  };
}

const testScope = inertScope(deliveryTest);
const paymentScope = inertScope(reportPayment);

const [initial] = initialTransition(deliveryTest);
const [untouched] = initialTransition(reportPayment);

/** Where a delivery test stands: the machine's own snapshot. */
export type TestState = typeof initial;

/** Where a report's payment stands: the machine's own snapshot. */
export type PaymentState = typeof untouched;

/** The state after one more event. Pure: the same two give the same third, in any process, any year. */
export function evolve(state: TestState, event: TestEvent): TestState {
  if (event.type === 'HistoryRestored') return fold(event.data.events);
  return deliveryTest.transition(state, event, testScope);
}

/** A test's state from its whole log. The follower, replay and the model tests all go through here. */
export function fold(events: readonly TestEvent[]): TestState {
  return events.reduce(evolve, initial);
}

/** The state of a payment after one more event. */
export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  if (event.type === 'HistoryRestored') return foldPayment(event.data.events);
  return reportPayment.transition(state, event, paymentScope);
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
