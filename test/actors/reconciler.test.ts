/** Tests when settlements with an unknown outcome are checked again. */

import { afterEach, expect, test, vi } from 'vitest';
import { nextLook, startReconciler } from '../../src/actors/reconciler.ts';
import { TIMEOUTS } from '../../src/actors/settler/timeouts.ts';
import { foldPayment, type PaymentState } from '../../src/projection/fold.ts';
import { aPaymentEvent } from '../support/log/events.ts';
import { T0 } from '../support/process/instants.ts';

afterEach(() => vi.useRealTimers());

const state = foldPayment([aPaymentEvent('SettlementStarted')]);
const END = Number(state.context.started?.payload.authorization.validBefore) * 1000;

test.each([
  ['30 s after the first observation of it', { since: 7000 }, T0, 37_000],
  ['15 s after the last look', { since: 7000, lookedAt: 40_000 }, T0 + 30_001, 55_000],
  ['rarer when it stays open', { since: 0, lookedAt: 600_000 }, T0, 800_000],
  ['60 s after it once the authorization has run out', { since: 0, lookedAt: 9 }, END + 1, 60_009],
  [
    'soon after it, however long it was open before',
    { since: 0, lookedAt: 3e6 },
    END + 1,
    3_060_000,
  ],
  ['ever rarer after that', { since: 0, lookedAt: 6e6 }, END + 6e6, 8_000_000],
  ['an hour later at most', { since: 0, lookedAt: 9e8 }, END + 9e8, 9e8 + 3_600_000],
])('the next check is %s', (_name, watched, now, expected) => {
  expect(nextLook(watched, state, now, TIMEOUTS)).toBe(expected);
});

test.each([-3_600_000, 3_600_000])('a clock set by %d ms delays no check', async (by) => {
  vi.useFakeTimers({ now: T0 });
  const open = new Map<string, PaymentState>();
  const looked: string[] = [];
  const reconciler = startReconciler({
    unresolved: () => open,
    reconcile: async (id) => void looked.push(id),
    clock: Date.now,
    random: () => 0,
    timeouts: { ...TIMEOUTS, lookAfterEnd: TIMEOUTS.nextLook },
  });
  open.set('new', state);
  await vi.advanceTimersByTimeAsync(32_000);
  expect(looked).toHaveLength(1);
  vi.setSystemTime(T0 + by);
  await vi.advanceTimersByTimeAsync(31_000);
  reconciler.stop();
  expect(looked).toHaveLength(3);
});

test('payments that are open at the start are checked within 200 ms, the others in their time', async () => {
  vi.useFakeTimers({ now: T0 });
  const open = new Map<string, PaymentState>([['old', state]]);
  const looked: string[] = [];
  const reconciler = startReconciler({
    unresolved: () => open,
    reconcile: async (id) => void looked.push(id),
    clock: Date.now,
    random: () => 0.99,
    timeouts: TIMEOUTS,
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
