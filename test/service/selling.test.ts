import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Outcome, Settlement } from '../../src/ports/payment.ts';
import { watchSelling } from '../../src/service/selling.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

function watched(offset: number | null, fault?: string) {
  const refused: Outcome = { kind: 'refused', reason: 'simulation_failed' };
  const settlement: Settlement = {
    mode: 'self',
    ready: async () => {},
    verify: async () => ({ ok: false, reason: 'no' }),
    settle: async () => refused,
    resume: async () => refused,
  };
  const watch = watchSelling({
    settlement,
    assetFault: async () => fault,
    clockOffset: async () => offset,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  return { ...watch, refused };
}

test.each([
  [-31, /31 s behind/],
  [3_600, /3600 s ahead/],
])('a clock that is %i s off sells nothing', async (offset, reason) => {
  const { state, stop } = watched(offset);
  await expect.poll(() => state().can_sell).toBe(false);
  expect(state().reason).toMatch(reason);
  stop();
});

test.each([-30, 0, 30, null])('a clock that is %s s off sells', async (offset) => {
  const { state, stop } = watched(offset);
  await new Promise(setImmediate);
  expect(state()).toEqual({ can_sell: true });
  stop();
});

test('what the asset refuses, once a settlement has begun, is nobody’s fault', async () => {
  const paused = watched(0, 'The asset is paused.');
  const good = watched(0);
  const job = {} as never;
  for (const how of ['settle', 'resume'] as const) {
    expect(await paused.settlement[how](job, 1)).toEqual({ ...paused.refused, upstream: true });
    expect(await good.settlement[how](job, 1)).toEqual(good.refused);
  }
  for (const { stop } of [paused, good]) stop();
});
