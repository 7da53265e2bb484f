/** Tests when the service stops and resumes selling. */

import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Settlement, SettlementOutcome } from '../../src/ports/payment.ts';
import { watchSelling } from '../../src/service/selling.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

function watched(offset: number | null, faults: (string | undefined)[] = [], room = true) {
  const failed: SettlementOutcome = { kind: 'unknown', reason: 'simulation_failed' };
  const settlement: Settlement = {
    mode: 'self',
    ready: async () => {},
    settle: async () => failed,
  };
  const watch = watchSelling({
    settlement,
    hasRoom: () => room,
    nodeFault: async () => undefined,
    assetFault: async () => (faults.length > 1 ? faults.shift() : faults[0]),
    clockOffset: async () => offset,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  return { ...watch, failed };
}

test.each([
  [-31, /31 s behind/],
  [3_600, /3600 s ahead/],
])('nothing is sold with a clock that is %i s off', async (offset, reason) => {
  const { state, stop } = watched(offset);
  await expect.poll(() => state().can_sell).toBe(false);
  expect(state().reason).toMatch(reason);
  stop();
});

test.each([-30, 0, 30, null])('reports are sold with a clock that is %s s off', async (offset) => {
  const { state, stop } = watched(offset);
  await new Promise(setImmediate);
  expect(state()).toEqual({ can_sell: true });
  stop();
});

test('nothing is sold if the log has no room', async () => {
  const { state, stop } = watched(0, [], false);
  await expect.poll(() => state().can_sell).toBe(false);
  expect(state().reason).toMatch(/room/);
  stop();
});

test('a settlement that fails because of the asset is the last one that begins', async () => {
  const { state, settlement, failed, stop } = watched(0, [undefined, 'The asset is paused.']);
  await new Promise(setImmediate);
  expect(state().can_sell).toBe(true);
  await settlement.ready([]);
  expect(await settlement.settle({} as never, 1)).toEqual(failed);
  expect(state().can_sell).toBe(false);
  await expect(settlement.ready([])).rejects.toThrow('The asset is paused.');
  stop();
});
