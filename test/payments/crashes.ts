import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReport } from '../../src/cli/soak/pay-world.ts';
import type { Step } from '../../src/cli/soak/service-child.ts';
import type { Fork } from '../../src/cli/soak/service-fork.ts';
import { nowSeconds } from '../support/authorization.ts';
import { type Mode, type Money, readUntilDecided, startMoney } from '../support/money.ts';

/** Never: whoever waits for this is killed meanwhile. */
const forEver = () => new Promise<never>(() => {});

type Sale = Awaited<ReturnType<Money['sale']>>;

/** A moment, and how it is noticed: `now` is called in it, and what it gives is waited for. */
type Moment = (money: Money, sale: Sale, now: () => Promise<unknown>) => void;

const step =
  (name: Step): Moment =>
  (money, { test }, now) =>
    money.at(name, test.test_id, now);

const moments: Record<Mode, Record<string, Moment>> = {
  self: {
    'after SettlementStarted': step('after SettlementStarted'),
    'after TransactionSigned': step('after TransactionSigned'),
    'after the broadcast': (money, { nonce }, now) => money.onBroadcast(nonce, { meanwhile: now }),
    'before PaymentSettled': step('before PaymentSettled'),
    'after PaymentSettled': step('after PaymentSettled'),
  },
  facilitator: {
    'after SettlementStarted': step('after SettlementStarted'),
    'when the facilitator has settled': (money, { payer }, now) => {
      let told = false;
      money.facilitator.behave({
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
  let money: Money;
  beforeAll(async () => {
    money = await startMoney(mode);
  });
  afterAll(() => money?.stop());

  /** A replica that is killed at that moment of a payment; resolves when it is dead. */
  async function crash(name: string, moment: Moment): Promise<Sale> {
    const [victim, sale] = await Promise.all([money.replica({ name }), money.sale()]);
    const dead = new Promise<void>((resolve) => {
      moment(money, sale, () => {
        void victim.kill().then(resolve);
        return forEver();
      });
    });
    const answer = readReport(victim, sale.test, sale.header).catch(() => 'no answer');
    await dead;
    expect(await answer).toBe('no answer');
    return sale;
  }

  async function expectPaidOnce({ test: report, payer }: Sale, at: Fork) {
    const answer = await readUntilDecided(at, report);
    expect([answer.status, answer.testId]).toEqual([200, report.test_id]);
    expect((await money.payment(report.test_id)).value).toBe('paid');
    expect(await money.transfers(payer)).toBe(1);
  }

  const names = Object.keys(moments[mode]);
  const crashAll = () =>
    Promise.all(Object.values(moments[mode]).map((moment) => crash('victim', moment)));
  const paid = async (sales: readonly Sale[]) => {
    const states = await Promise.all(sales.map(({ test }) => money.payment(test.test_id)));
    return states.filter(({ value }) => value === 'paid').length;
  };

  describe(`kill -9 ${names.join(', ')}`, () => {
    test('the same replica finishes it after its restart, without a request', async () => {
      const sales = await crashAll();
      const restarted = await money.replica({ name: 'victim' });
      await expect.poll(() => paid(sales), { timeout: 20_000, interval: 100 }).toBe(names.length);
      for (const sale of sales) await expectPaidOnce(sale, restarted);
      await restarted.kill();
    });

    test('another replica finishes it, without a request', async () => {
      const survivor = await money.replica({
        name: 'survivor',
        paces: { abandoned: 2_000, firstLook: 2_000, nextLook: 500, tick: 100, join: 500 },
      });
      const sales = await crashAll();
      await expect.poll(() => paid(sales), { timeout: 20_000, interval: 100 }).toBe(names.length);
      for (const sale of sales) await expectPaidOnce(sale, survivor);
      await survivor.kill();
    });
  });

  test('kill -9 between claim and start: the payment is good for its report, and for no other', async () => {
    const sale = await crash('victim', step('claimed'));
    expect((await money.payment(sale.test.test_id)).types).toEqual([]);
    const [restarted, other] = await Promise.all([
      money.replica({ name: 'victim' }),
      money.readyTest(),
    ]);
    expect(await readReport(restarted, other, sale.header)).toMatchObject({
      status: 402,
      error: 'invalid_exact_evm_nonce_already_used',
    });
    expect((await readReport(restarted, sale.test)).status).toBe(402);
    expect((await readReport(restarted, sale.test, sale.header)).status).toBe(200);
    await expectPaidOnce(sale, restarted);
  });

  test('before anybody has looked, an unsigned read is 503 and never a new offer', async () => {
    const other = await money.replica({ name: 'other', paces: { join: 300, abandoned: 5_000 } });
    const sale = await crash('victim', step('after SettlementStarted'));
    const answer = await readReport(other, sale.test);
    expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
    await expectPaidOnce(sale, other);
  });

  test('a service that is away until validBefore has passed finds it expired', async () => {
    const sale = await money.sale({ validBefore: nowSeconds() + 40 });
    const victim = await money.replica({ name: 'victim' });
    const dead = new Promise<void>((resolve) => {
      money.at('after SettlementStarted', sale.test.test_id, () => {
        void victim.kill().then(resolve);
        return forEver();
      });
    });
    await Promise.all([readReport(victim, sale.test, sale.header).catch(() => undefined), dead]);
    await money.jump(60);
    const restarted = await money.replica({ name: 'victim' });
    expect((await readUntilDecided(restarted, sale.test)).code).toBe('payment_required');
    const { value, context } = await money.payment(sale.test.test_id);
    expect([value, context.failed?.reason]).toEqual(['unpaid', 'expired']);
    expect(await money.transfers(sale.payer)).toBe(0);
  });
}
