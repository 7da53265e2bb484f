/** Tests `replay end` and `replay close`, which repair damaged tests and payments. */

import { describe, expect, test } from 'vitest';
import { isTestEvent } from '../../../src/domain/events.ts';
import { isPaymentEvent } from '../../../src/domain/payment-events.ts';
import type { StatusView } from '../../../src/domain/status-view.ts';
import type { ChainReader } from '../../../src/operator/replay/ask-chain.ts';
import { closePayment } from '../../../src/operator/replay/close-payment.ts';
import { endTest } from '../../../src/operator/replay/end-test.ts';
import type { EventLog } from '../../../src/ports/log.ts';
import { foldPayment } from '../../../src/projection/fold.ts';
import { anEvent, aPaymentEvent } from '../../support/log/events.ts';
import { memoryClaims, memoryProjection } from '../../support/log/memory-kv.ts';
import { memoryLog } from '../../support/log/memory-log.ts';
import { instant, T0, TEST_ID } from '../../support/process/instants.ts';

const now = T0 + 100_000;
const started = aPaymentEvent('SettlementStarted', 70);
const paid = [started, aPaymentEvent('TransactionSigned', 71), aPaymentEvent('PaymentSettled', 72)];
const READY = [anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('AnalysisDone', 61)];
const transaction = `0x${'5'.repeat(64)}`;

const transfer = {
  ...{ from: `0x${'2'.repeat(40)}`, to: `0x${'4'.repeat(40)}`, value: '50000' },
  ...{ transaction, block: 101, time: T0 / 1000 + 72 },
};

/** A chain on which the payment of the fixture has arrived. */
const chain: ChainReader = {
  outcome: () => async () => ({
    state: 'settled',
    receipt: { success: true, transaction, network: 'eip155:8453' },
    block: 101,
  }),
  find: async () => transfer,
  findIn: async () => [{ ...transfer, claim: started.data.claim }],
  isPrice: ({ value }) => value === '50000',
};

const outcome = (state: 'open' | 'dead'): ChainReader => ({
  ...chain,
  outcome: () => async () => ({ state }),
  find: async () => undefined,
});

function newSource() {
  return {
    tests: memoryLog({ isEvent: isTestEvent, clock: () => T0 }),
    payments: memoryLog({ isEvent: isPaymentEvent, clock: () => T0 }),
    statusViews: memoryProjection<StatusView>(),
    allClaims: memoryClaims().store,
  };
}
type TestSource = ReturnType<typeof newSource>;

async function append<E>(log: EventLog<E>, events: readonly E[]): Promise<number> {
  let seq = 0;
  for (const event of events) {
    const appended = await log.append(TEST_ID, event, seq);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seq = appended.seq;
  }
  return seq;
}

describe('end', () => {
  const end = (source: TestSource, apply: boolean) => endTest(source, TEST_ID, { now, apply });

  test.each<[string, (source: TestSource) => unknown]>([
    ['hole', ({ tests }) => tests.lose(tests.all()[1]?.seq ?? 0)],
    ['unreadable', ({ tests }) => tests.corrupt(tests.all()[0]?.seq ?? 0)],
    ['wrong', ({ tests }) => tests.putRaw(TEST_ID, '{"v":1,"type":"MailArrived"}')],
    [
      'tail',
      ({ statusViews }) =>
        statusViews.put(TEST_ID, {
          ...{ seq: 99, status: 'ready', refused: false, received_at: instant(60) },
          ...{ send_before: instant(3600), expires_at: instant(86_400) },
        }),
    ],
  ])('ends a test whose history is damaged (%s), after a dry run', async (problem, spoil) => {
    const source = newSource();
    await append(source.tests, READY);
    await spoil(source);
    const before = source.tests.all().length;
    const found = { subject: `tests.${TEST_ID}`, problem, event: 'TestDeleted' };
    expect(await end(source, false)).toMatchObject({ ...found, appended: false });
    expect(source.tests.all()).toHaveLength(before);
    expect(await end(source, true)).toMatchObject({ ...found, appended: true });
    expect((await source.tests.read(TEST_ID)).at(-1)?.event).toMatchObject({
      ...{ type: 'TestDeleted', by: 'operator' },
    });
    expect(source.statusViews.all().has(TEST_ID)).toBe(false);
  });

  test('says that there is no such test', async () => {
    expect(await end(newSource(), true)).toMatchObject({ why: 'there is no such test' });
  });

  test.each<[string, (source: TestSource) => unknown]>([
    ['its history is complete', () => {}],
    [
      'newer release',
      ({ tests }) => tests.putRaw(TEST_ID, JSON.stringify({ ...anEvent('TestDeleted'), v: 2 })),
    ],
    [
      'a payment for this test is pending',
      async ({ tests, payments }) => {
        tests.putRaw(TEST_ID, 'flipped');
        await append(payments, paid.slice(0, 2));
      },
    ],
  ])('leaves a test alone: %s', async (why, spoil) => {
    const source = newSource();
    await append(source.tests, READY);
    await spoil(source);
    const before = source.tests.all().length;
    expect(await end(source, true)).toMatchObject({
      ...{ appended: false, why: expect.stringContaining(why) },
    });
    expect(source.tests.all()).toHaveLength(before);
  });
});

describe('close', () => {
  const defaults = { now, apply: true, chain, transaction: undefined, unpaid: false };
  const close = (source: TestSource, options: Partial<typeof defaults> | object = {}) =>
    closePayment(source, TEST_ID, { ...defaults, ...options });

  async function stateOf({ payments }: TestSource) {
    return foldPayment((await payments.read(TEST_ID)).map(({ event }) => event));
  }

  async function damaged(spoil: (source: TestSource) => unknown, events = paid) {
    const source = newSource();
    await append(source.payments, events);
    await spoil(source);
    return source;
  }
  const lose =
    (...indices: readonly number[]) =>
    ({ payments }: TestSource) => {
      const places = payments.all().map(({ seq }) => seq);
      for (const index of indices) payments.corrupt(places[index] ?? 0);
    };
  const claim = ({ allClaims }: TestSource) =>
    allClaims.add(started.data.claim, { id: TEST_ID, at: started.at, by: 'r', from_block: 1 });

  test.each([
    ['its start', [0]],
    ['its transaction', [1]],
    ['its end', [2]],
    ['everything', [0, 1, 2]],
  ])('a payment that arrived and has lost %s is closed as paid', async (_, lost) => {
    const source = await damaged(lose(...lost));
    await claim(source);
    expect(await close(source, { apply: false })).toMatchObject({
      ...{ event: 'PaymentClosed', transaction, appended: false },
    });
    await expect(source.payments.read(TEST_ID)).rejects.toThrow();
    expect(await close(source)).toMatchObject({ appended: true });
    expect(await stateOf(source)).toMatchObject({
      value: 'paid',
      context: { started: { claim: started.data.claim }, settled: { receipt: { transaction } } },
    });
  });

  test('if the claim of a payment is too old to exist, the transaction names the authorization', async () => {
    const read = await damaged(lose(0, 1));
    expect(await close(read)).toMatchObject({ transaction, appended: true });
    const named = await damaged(lose(0, 1, 2));
    expect(await close(named)).toMatchObject({ why: expect.stringContaining('--transaction') });
    expect(await close(named, { transaction })).toMatchObject({ appended: true });
    expect((await stateOf(named)).value).toBe('paid');
  });

  test('a payment that can no longer arrive is unpaid, and another may be started', async () => {
    const source = await damaged(lose(1), paid.slice(0, 2));
    expect(await close(source, { chain: outcome('dead') })).toMatchObject({
      ...{ event: 'PaymentClosed', transaction: null, appended: true },
    });
    const state = await stateOf(source);
    expect(state.value).toBe('unpaid');
    expect(state.can(aPaymentEvent('SettlementStarted', 90, { attempt: 2 }))).toBe(true);
  });

  test.each<[string, object, (source: TestSource) => unknown]>([
    ['X402_RPC_URL', { chain: undefined }, lose(1)],
    ['not decided', { chain: outcome('open') }, lose(2)],
    ['but the chain does not', { chain: outcome('dead') }, lose(1)],
    ['--unpaid', {}, lose(0, 1, 2)],
    ['its history is complete', {}, () => {}],
    [
      'newer release',
      {},
      ({ payments }) => payments.putRaw(TEST_ID, JSON.stringify({ ...started, v: 2 })),
    ],
  ])('leaves a payment alone: %s', async (why, options, spoil) => {
    const source = await damaged(spoil);
    const before = source.payments.all().length;
    expect(await close(source, options)).toMatchObject({
      ...{ appended: false, why: expect.stringContaining(why) },
    });
    expect(source.payments.all()).toHaveLength(before);
  });

  test('a claim that has just been made may still be used', async () => {
    const source = await damaged(lose(0, 1, 2));
    await claim(source);
    const open = { chain: outcome('open') };
    expect(await close(source, open)).toMatchObject({ why: expect.stringContaining('decided') });
    expect(await close(source, { ...open, now: now + 7_200_000 })).toMatchObject({
      appended: true,
    });
  });

  test('a payment that nothing names is closed as not paid at the operator’s word', async () => {
    const source = await damaged(lose(0, 1, 2));
    expect(await close(source, { unpaid: true })).toMatchObject({ appended: true });
    expect((await stateOf(source)).value).toBe('unpaid');
  });

  test('a payment without any event is restored from its claim and the chain', async () => {
    const source = newSource();
    expect(await close(source)).toMatchObject({ why: 'there is no such payment' });
    await claim(source);
    expect(await close(source)).toMatchObject({ transaction, appended: true });
    expect((await stateOf(source)).value).toBe('paid');
  });
});
