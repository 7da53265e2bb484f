/** Tests the clock that follows the time of nats-server. */

import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { estimateOffset, openLogClock } from '../../../src/adapters/nats/clock.ts';
import type { LogConnection } from '../../../src/adapters/nats/connection.ts';
import { T0 } from '../../support/process/instants.ts';

afterEach(() => void vi.useRealTimers());

/** An exchange with a clock that is `ahead`, which answers after `there` and `back` milliseconds. */
const exchange = (asked: number, there: number, back: number, ahead: number) => ({
  asked,
  answered: asked + there + back,
  answer: Math.floor(asked + there + ahead),
});

test('the estimate is as good as the quickest answer, however slow the others are', () => {
  const slowly = fc.double({ min: 0, max: 5000, noNaN: true });
  const answers = fc.array(fc.tuple(slowly, slowly), { maxLength: 20 });
  fc.assert(
    fc.property(answers, fc.integer({ min: -1e12, max: 1e12 }), (delays, ahead) => {
      const offset = estimateOffset();
      const all = [...delays, [1, 1] as const];
      for (const [index, [there, back]] of all.entries())
        expect(offset.note(exchange(index * 5000, there, back, ahead))).toBe(0);
      expect(Math.abs(offset.milliseconds() - ahead)).toBeLessThanOrEqual(1.5);
    }),
  );
});

test('a quick answer is remembered for as long as a clock can be trusted', () => {
  const offset = estimateOffset();
  offset.note(exchange(0, 1, 1, 1000));
  offset.note(exchange(5000, 0, 2500, 1000));
  expect(offset.milliseconds()).toBeCloseTo(1000, -1);
  // An hour later, our own clock is 0.5 s behind.
  expect(offset.note(exchange(3_600_000, 1, 1, 1500))).toBe(0);
  expect(offset.milliseconds()).toBeCloseTo(1500, -1);
});

test.each([60_000, -60_000])('a clock that was set by %d ms is followed', (by) => {
  const offset = estimateOffset();
  offset.note(exchange(0, 1, 1, 1000));
  expect(offset.note(exchange(5000, 1, 1, 1000 + by))).toBe(by);
  expect(offset.milliseconds()).toBeCloseTo(1000 + by, -1);
});

/** Creates a server that responds at once, and whose clock shows `T0` when the test begins. */
function aServer() {
  vi.useFakeTimers();
  const begun = performance.now();
  const server = { aheadMs: 0, away: false };
  const info = async () => {
    if (server.away) throw new Error('no answer');
    return { ts: new Date(T0 + performance.now() - begun + server.aheadMs).toISOString() };
  };
  return { server, jsm: { streams: { info } } as unknown as LogConnection['jsm'] };
}

test('the server’s clock is followed when it is set, whatever the machine says', async () => {
  const { server, jsm } = aServer();
  const sets: number[] = [];
  const clock = await openLogClock({ jsm }, { stream: 'TESTS', onSet: (by) => sets.push(by) });
  expect(clock.now()).toBe(T0);
  vi.setSystemTime(0);
  await vi.advanceTimersByTimeAsync(4000);
  expect(clock.now()).toBe(T0 + 4000);

  server.aheadMs = 3_600_000;
  await vi.advanceTimersByTimeAsync(1000);
  expect(clock.now()).toBe(T0 + 5000 + 3_600_000);
  expect(sets).toEqual([3_600_000]);
  clock.stop();
  server.aheadMs = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sets).toHaveLength(1);
});

test('without an answer the clock continues', async () => {
  const { server, jsm } = aServer();
  const clock = await openLogClock({ jsm }, { stream: 'TESTS', onSet: () => {} });
  server.away = true;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(clock.now()).toBe(T0 + 3_600_000);
  clock.stop();
});
