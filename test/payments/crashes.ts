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

/** Never: whoever waits for this is killed meanwhile. */
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
    'after the broadcast': (fixtures, { nonce }, now) =>
      fixtures.onBroadcast(nonce, { meanwhile: now }),
    'before PaymentSettled': step('before PaymentSettled'),
    'after PaymentSettled': step('after PaymentSettled'),
  },
  facilitator: {
    'after SettlementStarted': step('after SettlementStarted'),
    'when the facilitator has settled': (fixtures, { payer }, now) => {
      let told = false;
      fixtures.facilitator.behave({
        settle(from) {
          if (told || from !== payer.address) return 'up';
          told = true;
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

  /** A replica that is killed at that moment of a payment; resolves when it is dead. */
  async function crash(victim: Fork, moment: Moment, validBefore?: number): Promise<Purchase> {
    const purchase = await fixtures.purchase(validBefore === undefined ? {} : { validBefore });
    const dead = new Promise<void>((resolve) => {
      moment(fixtures, purchase, () => {
        void victim.kill().then(resolve);
        return forEver();
      });
    });
    const answer = readReport(victim, purchase.test, purchase.header).catch(() => 'no answer');
    await dead;
    expect(await answer).toBe('no answer');
    return purchase;
  }

  async function expectPaidOnce({ test: report, payer }: Purchase, at: Fork) {
    const answer = await readUntilDecided(at, report);
    expect([answer.status, answer.testId]).toEqual([200, report.test_id]);
    expect((await fixtures.payment(report.test_id)).value).toBe('paid');
    expect(await fixtures.transfers(payer)).toBe(1);
  }

  const names = Object.keys(moments[mode]);
  /** All are up before the first is hurt: one that starts looks after what others left open. */
  const victims = (count: number) =>
    Promise.all(Array.from({ length: count }, () => fixtures.replica({ name: 'victim' })));
  const crashAll = (forks: readonly Fork[]) =>
    Promise.all(
      Object.values(moments[mode]).map((moment, index) => crash(forks[index] as Fork, moment)),
    );
  const paid = async (purchases: readonly Purchase[]) => {
    const states = await Promise.all(purchases.map(({ test }) => fixtures.payment(test.test_id)));
    return states.filter(({ value }) => value === 'paid').length;
  };

  describe(`kill -9 ${names.join(', ')}`, () => {
    test('the same replica finishes it after its restart, without a request', async () => {
      const [first, second, ...others] = await victims(names.length + 2);
      const [purchases, unstarted, expired] = await Promise.all([
        crashAll(others),
        crash(first as Fork, step('claimed')),
        crash(second as Fork, step('after SettlementStarted'), nowSeconds() + 40),
      ]);
      expect((await fixtures.payment(unstarted.test.test_id)).types).toEqual([]);
      await fixtures.jump(50);
      const restarted = await fixtures.replica({ name: 'victim' });
      await expect
        .poll(() => paid(purchases), { timeout: 20_000, interval: 100 })
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
    }, 60_000);

    test('another replica finishes it, without a request, and never offers it anew', async () => {
      const survivor = await fixtures.replica({
        name: 'survivor',
        timeouts: { abandoned: 5_000, firstLook: 5_000, nextLook: 500, tick: 100, join: 300 },
      });
      const purchases = await crashAll(await victims(names.length));
      const [begun] = purchases;
      const early = begun && (await readReport(survivor, begun.test));
      // Under way, or decided by now on a slow machine; never a 402.
      expect([200, 503]).toContain(early?.status);
      if (early?.status === 503) expect(early.code).toBe('settlement_pending');
      await expect
        .poll(() => paid(purchases), { timeout: 30_000, interval: 100 })
        .toBe(names.length);
      for (const purchase of purchases) await expectPaidOnce(purchase, survivor);
      await survivor.kill();
    }, 60_000);
  });
}
