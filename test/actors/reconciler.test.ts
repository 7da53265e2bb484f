import { afterEach, expect, test, vi } from 'vitest';
import { nextLook, startReconciler } from '../../src/actors/reconciler.ts';
import { PACES } from '../../src/actors/settler/paces.ts';
import { foldPayment, type PaymentState } from '../../src/projection/fold.ts';
import { aPaymentEvent } from '../support/events.ts';
import { T0 } from '../support/instants.ts';
import { keptLogger } from '../support/quiet.ts';

afterEach(() => vi.useRealTimers());

const state = foldPayment([aPaymentEvent('SettlementStarted')]);
const END = Number(state.context.started?.payload.authorization.validBefore) * 1000;

test.each([
  ['30 s after the start', undefined, T0, T0 + 30_000],
  ['15 s after the last look', T0 + 30_000, T0 + 30_001, T0 + 45_000],
  ['60 s after it once the authorization has run out', END, END + 1, END + 60_000],
])('the next look is %s', (_name, last, now, expected) => {
  expect(nextLook(state, last, now, PACES)).toBe(expected);
});

test('what is open at the start is looked at within 200 ms, the rest in its time', async () => {
  vi.useFakeTimers({ now: T0 });
  const open = new Map<string, PaymentState>([['old', state]]);
  const looked: string[] = [];
  const reconciler = startReconciler({
    unresolved: () => open,
    reconcile: async (id) => void looked.push(id),
    clock: Date.now,
    random: () => 0.99,
    logger: keptLogger().logger,
    paces: PACES,
  });
  await vi.advanceTimersByTimeAsync(200);
  expect(looked).toEqual(['old']);
  open.set('new', state);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(looked.filter((id) => id === 'new')).toHaveLength(1);
  expect(looked.filter((id) => id === 'old')).toHaveLength(3);

  open.clear();
  await vi.advanceTimersByTimeAsync(120_000);
  reconciler.stop();
  expect(looked).toHaveLength(4);
});
