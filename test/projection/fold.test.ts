import { expect, test } from 'vitest';
import { transition } from 'xstate';
import { deliveryTest } from '../../machines/delivery-test.ts';
import { reportPayment } from '../../machines/report-payment.ts';
import { evolve, evolvePayment, fold, foldPayment } from '../../src/projection/fold.ts';
import { nameOf, paymentPairs, testPairs } from '../support/model.ts';

test('a test evolves as the library says, for every pair of the model', () => {
  const pairs = testPairs();
  expect(pairs.length).toBeGreaterThan(1000);
  for (const { state, event } of pairs) {
    const [expected] = transition(deliveryTest, state, event);
    const evolved = evolve(state, event);
    const title = `${nameOf(state)} ${event.type}`;
    expect([evolved.value, evolved.context], title).toEqual([expected.value, expected.context]);
    expect(evolved === state, title).toBe(expected === state);
  }
});

test('a payment evolves as the library says, for every pair of the model', () => {
  for (const { state, event } of paymentPairs()) {
    const [expected] = transition(reportPayment, state, event);
    const evolved = evolvePayment(state, event);
    expect([evolved.value, evolved.context]).toEqual([expected.value, expected.context]);
    expect(evolved === state).toBe(expected === state);
  }
});

test('nothing folds to a test that does not exist and a payment that was not begun', () => {
  expect(fold([]).value).toBe('unknown');
  expect(foldPayment([]).value).toBe('unpaid');
});
