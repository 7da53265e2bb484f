import { afterEach, expect, test, vi } from 'vitest';
import { startFinalityWatch } from '../../src/actors/finality.ts';
import type { ChainOutcome } from '../../src/ports/payment.ts';
import { foldPayment } from '../../src/projection/fold.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { aPaymentEvent } from '../support/log/events.ts';
import { receipt } from '../support/payments/settler.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

afterEach(() => vi.useRealTimers());

const EVERY_MS = 60_000;

/** One payment in block 101, a chain that follows a script, and rounds by hand. */
function setUp(overrides: { block?: number } = { block: 101 }) {
  vi.useFakeTimers();
  const { block: _, ...settled } = aPaymentEvent('PaymentSettled').data;
  const state = foldPayment([
    aPaymentEvent('SettlementStarted'),
    { ...aPaymentEvent('PaymentSettled'), data: { ...settled, ...overrides } },
  ]);
  const open = new Map([['one', state]]);
  const script = {
    finalized: async () => 101,
    outcome: async (): Promise<ChainOutcome> => ({ state: 'settled', receipt, block: 101 }),
  };
  const { logger, lines } = keptLogger();
  const metrics = createMetrics();
  const watch = startFinalityWatch({
    unconfirmed: () => open,
    confirm: (id) => void open.delete(id),
    chain: {
      head: async () => ({ number: 200, timestamp: 0 }),
      balance: async () => 0n,
      confirm: async () => undefined,
      finalized: () => script.finalized(),
      outcome: () => script.outcome(),
    },
    logger,
    metrics,
    timeouts: { finality: EVERY_MS },
  });
  const round = () => vi.advanceTimersByTimeAsync(EVERY_MS);
  const reorged = async () => (await metrics.paymentsReorged.get()).values[0]?.value ?? 0;
  return { open, script, lines, watch, round, reorged };
}

test('a payment that is still there when its block is final is done with', async () => {
  const { open, round, reorged, lines } = setUp();
  await round();
  expect([open.size, await reorged(), lines]).toEqual([0, 0, []]);
});

test.each(['open', 'dead', 'cancelled'] as const)(
  'one that is %s by then is counted and logged, once',
  async (state) => {
    const { script, open, round, reorged, lines } = setUp();
    script.outcome = async () => ({ state });
    await round();
    await round();
    expect([open.size, await reorged()]).toEqual([0, 1]);
    expect(lines).toMatchObject([{ level: 'error', payment_id: 'one', msg: 'payment vanished' }]);
  },
);

test('nothing is judged before its block is final', async () => {
  const { script, open, round, reorged } = setUp();
  script.finalized = async () => 100;
  script.outcome = async () => ({ state: 'open' });
  await round();
  expect([open.size, await reorged()]).toEqual([1, 0]);
});

test('a block that the facilitator did not name is learnt from the chain', async () => {
  const { script, open, round } = setUp({});
  script.finalized = async () => 100;
  await round();
  expect(open.size).toBe(1);
  script.finalized = async () => 101;
  await round();
  expect(open.size).toBe(0);
});

test('a chain that cannot be read says nothing, and is asked again', async () => {
  const { script, open, round, reorged } = setUp();
  const { outcome } = script;
  script.outcome = async () => {
    throw new Error('down');
  };
  await round();
  expect([open.size, await reorged()]).toEqual([1, 0]);
  script.outcome = outcome;
  await round();
  expect(open.size).toBe(0);
});
