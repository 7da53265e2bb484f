/** Tests every transition of the report payment's state machine. */

import { expect, test } from 'vitest';
import {
  isPaymentEvent,
  type OriginalPaymentEvent,
  type PaymentEventOf,
} from '../../src/domain/payment-events.ts';
import {
  evolvePayment,
  foldPayment,
  type PaymentState,
  unpaidAfter,
} from '../../src/projection/fold.ts';
import { describeMachine } from '../contracts/machine.ts';
import { aPaymentEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { paymentModel } from '../support/log/model.ts';

/** Every allowed transition. */
const table = `
  unpaid -SettlementStarted-> settling
  settling -TransactionSigned-> settling
  settling -PaymentSettled-> paid
  settling -SettlementFailed-> unpaid
  unpaid -PaymentClosed-> paid
  unpaid -PaymentClosed-> unpaid
  settling -PaymentClosed-> paid
  settling -PaymentClosed-> unpaid
`;

/** All transitions again, with the conditions on an event and the data that it leaves behind. */
function rule({ value, context }: PaymentState, event: OriginalPaymentEvent) {
  const { at, data } = event;
  const nextAttempt = data.attempt === context.attempts + 1;
  const settles = value === 'settling' && data.attempt === context.attempts;
  const to = (fits: boolean, target: string, changes: object) =>
    fits ? ([target, { at, ...changes }] as const) : undefined;

  switch (event.type) {
    case 'SettlementStarted': {
      const start = { attempts: data.attempt, started: data, startedAt: at };
      return to(value === 'unpaid' && nextAttempt, 'settling', {
        ...start,
        signed: [],
        failed: null,
      });
    }
    case 'TransactionSigned':
      return to(settles, 'settling', { signed: [...context.signed, data] });
    case 'PaymentSettled':
      return to(settles, 'paid', { settled: data });
    case 'SettlementFailed':
      return to(settles, 'unpaid', { started: null, failed: data });
    case 'PaymentClosed': {
      const { attempt, settled } = data as PaymentEventOf<'PaymentClosed'>['data'];
      const closed = { attempts: attempt, startedAt: at, signed: [] };
      if (!settled)
        return to(value !== 'paid', 'unpaid', {
          ...{ ...closed, started: null },
          failed: { attempt, reason: 'expired', error: 'payment_closed' },
        });
      const { started, ...rest } = settled;
      return to(value !== 'paid', 'paid', {
        ...{ ...closed, started, failed: null },
        settled: { attempt, ...rest, found_by: 'reconcile' },
      });
    }
  }
}

describeMachine<OriginalPaymentEvent, PaymentState>({
  model: paymentModel,
  table,
  rule,
  states: 3,
  types: 5,
  evolve: evolvePayment,
  fold: foldPayment,
  newLog: () =>
    memoryLog({
      isEvent: (value): value is OriginalPaymentEvent =>
        isPaymentEvent(value) && value.type !== 'HistoryRestored',
    }),
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
