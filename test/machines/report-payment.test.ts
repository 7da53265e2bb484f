import { expect, test } from 'vitest';
import type { PaymentEvent } from '../../src/domain/payment-events.ts';
import { evolvePayment, foldPayment, unpaidAfter } from '../../src/projection/fold.ts';
import { aPaymentEvent } from '../support/events.ts';
import { nameOf, paymentPairs, paymentPaths } from '../support/model.ts';

/** Every transition there is, and no other. */
const table = `
  unpaid -SettlementStarted-> settling
  settling -TransactionSigned-> settling
  settling -PaymentSettled-> paid
  settling -SettlementFailed-> unpaid
`;

const transitions = new Set(table.trim().split(/\n\s*/));
const pairs = paymentPairs();

test('every pair of state and event goes where the table says', () => {
  const steps = pairs
    .filter(({ state, event }) => state.can(event))
    .map(({ state, event, nextState }) => `${nameOf(state)} -${event.type}-> ${nameOf(nextState)}`);
  expect(new Set(steps)).toEqual(transitions);
});

test('an event that does not fit changes nothing at all', () => {
  const unfit = pairs.filter(({ state, event }) => !state.can(event));
  expect(unfit.length).toBeGreaterThan(50);
  for (const { state, event } of unfit)
    expect(evolvePayment(state, event), `${nameOf(state)} ${event.type}`).toBe(state);
});

test('every one of the 3 states was tried with each of the 4 events', () => {
  const tried = new Set(pairs.map(({ state, event }) => `${nameOf(state)} ${event.type}`));
  expect(tried.size).toBe(3 * 4);
});

test.each(paymentPaths().map((path) => [path.title, path] as const))(
  '%s: the fold agrees with the model after each step',
  (_, { steps }) => {
    const events: PaymentEvent[] = [];
    for (const { event, state } of steps) {
      events.push(event);
      const folded = foldPayment(events);
      expect([folded.value, folded.context]).toEqual([state.value, state.context]);
    }
  },
);

test('only the attempt after the last one can be started', () => {
  const failed = foldPayment([
    aPaymentEvent('SettlementStarted', 0, { attempt: 1 }),
    aPaymentEvent('SettlementFailed', 3, { attempt: 1 }),
  ]);
  const start = (attempt: number) => aPaymentEvent('SettlementStarted', 4, { attempt });
  expect([1, 2, 3].map((attempt) => failed.can(start(attempt)))).toEqual([false, true, false]);
  expect(evolvePayment(unpaidAfter(1), start(2)).context).toEqual(
    evolvePayment(failed, start(2)).context,
  );
});
