import { afterEach, expect, test, vi } from 'vitest';
import { startPaymentAudit } from '../../src/actors/follower/payment-audit.ts';
import { isPaymentEvent, type PaymentEvent } from '../../src/domain/payment-events.ts';
import { aPaymentEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { eventually } from '../support/process/eventually.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

async function audit(spoil: (log: ReturnType<typeof memoryLog<PaymentEvent>>) => void) {
  const log = memoryLog({ isEvent: isPaymentEvent });
  for (const id of ['one', 'two', 'three']) {
    let seq = 0;
    for (const type of ['SettlementStarted', 'TransactionSigned', 'PaymentSettled'] as const) {
      const appended = await log.append(id, aPaymentEvent(type), seq);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      seq = appended.seq;
    }
  }
  spoil(log);
  const suspect = vi.fn<(id: string, seq: number) => void>();
  ({ stop } = startPaymentAudit({ log, suspect, logger: keptLogger().logger }));
  return { log, suspect, ids: () => new Set(suspect.mock.calls.map(([id]) => id)) };
}

const placesOf = (log: ReturnType<typeof memoryLog<PaymentEvent>>) =>
  log.all().flatMap(({ id, seq }) => (id === 'two' ? seq : []));

test.each([
  ['start', 0],
  ['transaction', 1],
])('a payment that has lost its %s is found wherever it lies', async (_, index) => {
  const { ids } = await audit((log) => log.lose(placesOf(log)[index] ?? 0));
  await eventually(() => expect(ids()).toEqual(new Set(['two'])));
});

test('a payment with a message that is no event is found', async () => {
  const { ids } = await audit((log) => log.corrupt(placesOf(log)[2] ?? 0));
  await eventually(() => expect(ids()).toEqual(new Set(['two'])));
});

test('a message that the server counts and does not deliver is found', async () => {
  const { ids } = await audit((log) => {
    const { counts } = log;
    const lost = placesOf(log)[2] ?? 0;
    log.lose(lost);
    log.counts = async () => new Map([...(await counts()), ['two', 3]]);
  });
  await eventually(() => expect(ids()).toEqual(new Set(['two'])));
});

test('payments that are whole are not read again', async () => {
  const counted = vi.fn();
  const { suspect } = await audit((log) => {
    const { counts } = log;
    log.counts = () => counts().finally(counted);
  });
  // The memory's sequences have gaps: it counts.
  await eventually(() => expect(counted).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(suspect).not.toHaveBeenCalled();
});
