import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowSeconds } from '../support/payments/authorization.ts';
import {
  type Mode,
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import type { Step } from '../tools/soak/service-child.ts';
import type { Fork } from '../tools/soak/service-fork.ts';

/** Many times what it takes on a quiet machine, in milliseconds. */
const DECIDED_MS = 90_000;

/** Never: what waits for this is killed meanwhile. */
const forEver = () => new Promise<never>(() => {});

type Purchase = Awaited<ReturnType<PaymentFixtures['purchase']>>;

/** A moment, and how it is noticed: `now` is called in it, and what it gives is waited for. */
type Moment = (fixtures: PaymentFixtures, purchase: Purchase, now: () => Promise<unknown>) => void;

const step =
  (name: Step): Moment =>
  (fixtures, { test }, now) =>
    fixtures.at(name, test.test_id, now);

const moments: Record<Mode, Record<string, Moment>> = {
  self: {
    'after SettlementStarted': step('after SettlementStarted'),
    'after TransactionSigned': step('after TransactionSigned'),
    'before PaymentSettled': step('before PaymentSettled'),
    'after PaymentSettled': step('after PaymentSettled'),
    // Last: until it is answered, the wallet sends nothing else.
    'after the broadcast': (fixtures, { nonce }, now) =>
      fixtures.onBroadcast(nonce, { meanwhile: now }),
  },
  facilitator: {
    'after SettlementStarted': step('after SettlementStarted'),
    'when the facilitator has settled': (fixtures, { payer }, now) => {
      let reached = false;
      fixtures.facilitator.behave({
        settle(from) {
          if (reached || from !== payer.address) return 'up';
          reached = true;
          return { meanwhile: now };
        },
      });
    },
    'before PaymentSettled': step('before PaymentSettled'),
    'after PaymentSettled': step('after PaymentSettled'),
  },
};

/** `kill -9` of a replica at each step: the money moves once, and opens the report. */
export function crashesThatMustHold(mode: Mode) {
  let fixtures: PaymentFixtures;
  beforeAll(async () => {
    fixtures = await startPaymentFixtures(mode);
  });
  afterAll(() => fixtures?.stop());
  const names = Object.keys(moments[mode]);

  /** Buys at that replica until the moment is there, and stays in it. */
  async function hold(victim: Fork, moment: Moment, seconds = 600) {
    const purchase = await fixtures.purchase({ validBefore: nowSeconds() + seconds });
    const reached = new Promise<void>((resolve) => {
      moment(fixtures, purchase, () => {
        resolve();
        return forEver();
      });
    });
    const answer = readReport(victim, purchase.test, purchase.header).catch(() => 'no answer');
    await reached;
    return { purchase, answer };
  }

  /**
   * One purchase at each moment, then `kill -9` in all of them at once. A wallet that is held while
   * it records signs nothing else, so that moment has a replica of its own.
   */
  async function crash(more: readonly (readonly [Moment, number?])[] = []) {
    const [victim, other] = await Promise.all([
      fixtures.replica({ name: 'victim' }),
      fixtures.replica({ name: 'victim' }),
    ]);
    const held = [];
    for (const [name, moment] of Object.entries(moments[mode]))
      held.push(await hold(name === 'after TransactionSigned' ? other : victim, moment));
    for (const [moment, seconds] of more) held.push(await hold(other, moment, seconds));
    await Promise.all([victim.kill(), other.kill()]);
    for (const { answer } of held) expect(await answer).toBe('no answer');
    const purchases = held.map(({ purchase }) => purchase);
    return { purchases: purchases.slice(0, names.length), more: purchases.slice(names.length) };
  }

  async function expectPaidOnce({ test: report, payer }: Purchase, at: Fork) {
    const answer = await readUntilDecided(at, report);
    expect([answer.status, answer.testId]).toEqual([200, report.test_id]);
    expect((await fixtures.payment(report.test_id)).value).toBe('paid');
    expect(await fixtures.transfers(payer)).toBe(1);
  }

  const paid = async (purchases: readonly Purchase[]) => {
    const states = await Promise.all(purchases.map(({ test }) => fixtures.payment(test.test_id)));
    return states.filter(({ value }) => value === 'paid').length;
  };

  describe(`kill -9 ${names.join(', ')}`, () => {
    test('the same replica finishes it after its restart, without a request', async () => {
      const { purchases, more } = await crash([
        [step('claimed')],
        [step('after SettlementStarted'), 40],
      ]);
      const [unstarted, expired] = more as [Purchase, Purchase];
      expect((await fixtures.payment(unstarted.test.test_id)).types).toEqual([]);
      await fixtures.jump(50);
      const restarted = await fixtures.replica({ name: 'victim' });
      await expect
        .poll(() => paid(purchases), { timeout: DECIDED_MS, interval: 100 })
        .toBe(names.length);
      for (const purchase of purchases) await expectPaidOnce(purchase, restarted);

      // Away until validBefore had passed: nothing moved, and a new payment may be offered.
      expect((await readUntilDecided(restarted, expired.test)).code).toBe('payment_required');
      const { value, context } = await fixtures.payment(expired.test.test_id);
      expect([value, context.failed?.reason]).toEqual(['unpaid', 'expired']);
      expect(await fixtures.transfers(expired.payer)).toBe(0);

      // Claimed and not begun: the payment is good for its report, and for no other.
      const other = await fixtures.readyTest();
      expect(await readReport(restarted, other, unstarted.header)).toMatchObject({
        status: 402,
        error: 'invalid_exact_evm_nonce_already_used',
      });
      expect((await readReport(restarted, unstarted.test)).status).toBe(402);
      expect((await readReport(restarted, unstarted.test, unstarted.header)).status).toBe(200);
      await expectPaidOnce(unstarted, restarted);
      await restarted.kill();
    }, 180_000);

    test('another replica finishes it, without a request, and never offers it again', async () => {
      const survivor = await fixtures.replica({
        name: 'survivor',
        timeouts: { abandoned: 5_000, firstLook: 5_000, nextLook: 500, tick: 100, join: 300 },
      });
      const { purchases } = await crash();
      const [begun] = purchases;
      const first = begun && (await readReport(survivor, begun.test));
      // Under way, or decided by now on a slow machine; never a 402.
      expect([200, 503]).toContain(first?.status);
      if (first?.status === 503) expect(first.code).toBe('settlement_pending');
      await expect
        .poll(() => paid(purchases), { timeout: DECIDED_MS, interval: 100 })
        .toBe(names.length);
      for (const purchase of purchases) await expectPaidOnce(purchase, survivor);
      await survivor.kill();
    }, 180_000);
  });
}
