import { expect, test } from 'vitest';
import { isPaymentEvent } from '../../src/domain/payment-events.ts';
import { evolvePayment, foldPayment, unpaidAfter } from '../../src/projection/fold.ts';
import { describeMachine } from '../contracts/machine.ts';
import { aPaymentEvent } from '../support/events.ts';
import { memoryLog } from '../support/memory-log.ts';
import { paymentModel } from '../support/model.ts';

/** Every transition there is, and no other. */
const table = `
  unpaid -SettlementStarted-> settling
  settling -TransactionSigned-> settling
  settling -PaymentSettled-> paid
  settling -SettlementFailed-> unpaid
`;

describeMachine({
  model: paymentModel,
  table,
  states: 3,
  types: 4,
  evolve: evolvePayment,
  fold: foldPayment,
  newLog: () => memoryLog({ isEvent: isPaymentEvent }),
});

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
