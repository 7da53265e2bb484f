/** Tests when the service stops and resumes selling. */

import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { NodeFault } from '../../src/domain/node-needs.ts';
import type { Settlement, SettlementOutcome } from '../../src/ports/payment.ts';
import { watchSelling } from '../../src/service/selling.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

function watched(
  offset: number | null,
  faults: (string | undefined)[] = [],
  room = true,
  nodeFault: () => Promise<NodeFault | undefined> = async () => undefined,
) {
  const failed: SettlementOutcome = { kind: 'unknown', reason: 'simulation_failed' };
  const ready = vi.fn(async () => {});
  const settlement: Settlement = {
    mode: 'self',
    ready,
    settle: async () => failed,
  };
  const watch = watchSelling({
    settlement,
    hasRoom: () => room,
    nodeFault,
    assetFault: async () => (faults.length > 1 ? faults.shift() : faults[0]),
    clockOffset: async () => offset,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  return { ...watch, failed, ready };
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

test('a settlement that fails because nobody’s can succeed is the last one that is asked for', async () => {
  const { state, settlement, failed, ready, stop } = watched(0);
  await new Promise(setImmediate);
  ready.mockRejectedValue(new Error('The facilitator refuses to settle (HTTP 402).'));
  expect(await settlement.settle({} as never, 1)).toEqual(failed);
  expect(state()).toEqual({
    can_sell: false,
    reason: 'The facilitator refuses to settle (HTTP 402).',
  });
  stop();
});

/** Watches nodes that have this fault, by a clock that the test advances, and counts the checks. */
function counted(fault?: NodeFault) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let checks = 0;
  const watch = watched(0, [], true, async () => {
    checks += 1;
    return fault;
  });
  return { ...watch, checks: () => checks };
}

const DOWN: NodeFault = { need: 'answer', reason: 'The X402_RPC_URL node does not respond.' };

test.each([undefined, DOWN])(
  'if nobody asks, the nodes are checked about once a minute, with the fault %j',
  async (fault) => {
    const { checks, stop } = counted(fault);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(checks()).toBeGreaterThanOrEqual(60);
    expect(checks()).toBeLessThanOrEqual(65);
    stop();
  },
);

test('a fault is checked again after 3 s, and a buyer’s question repeats a check that is too old', async () => {
  const down = counted(DOWN);
  await vi.advanceTimersByTimeAsync(3_100);
  expect(down.checks()).toBe(2);
  expect(down.canSell()).toBe(false);
  down.stop();

  const { canSell, checks, stop } = counted();
  await vi.advanceTimersByTimeAsync(9_000);
  expect([canSell(), canSell(), checks()]).toEqual([true, true, 1]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([canSell(), canSell(), checks()]).toEqual([true, true, 2]);
  stop();
});
