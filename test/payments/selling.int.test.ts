/**
 * Tests that nothing is sold while the token is paused or denies the payee, or gas is too
 * expensive, and that paid reports stay readable.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, callToken } from '../support/payments/payment-chain.ts';
import { readReport } from '../support/payments/payment-environment.ts';
import {
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import type { Fork } from '../support/payments/service-fork.ts';

type Purchase = Awaited<ReturnType<PaymentFixtures['purchase']>>;

let fixtures: PaymentFixtures;
let one: Fork;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  one = await fixtures.replica({ name: 'one' });
  await fixtures.giveEther(fixtures.chain.payer);
});
afterAll(() => fixtures?.stop());

const setToken = (name: string, ...values: unknown[]) =>
  callToken(fixtures.chain, fixtures.chain.payer.privateKey, name, values);

const readiness = async () => {
  const answer = await fetch(`${one.http}/readyz`);
  const { status, selling } = (await answer.json()) as { status: string; selling: object };
  return [answer.status, status, selling];
};

const created = async () => {
  const answer = await fetch(`${one.http}/v1/tests`, { method: 'POST' });
  return [answer.status, ((await answer.json()) as { can_sell?: boolean }).can_sell];
};

test.each([
  ['is paused', 'setPaused', () => []],
  ['denies payments to the payee', 'setBlacklisted', () => [fixtures.chain.payTo]],
] as const)(
  'with a token that %s, sales get 502, readyz shows it, and nothing paid is affected',
  async (_, name, of) => {
    const [paid, begun, unpaid] = (await Promise.all([0, 1, 2].map(() => fixtures.purchase()))) as [
      Purchase,
      Purchase,
      Purchase,
    ];
    expect((await readReport(one, paid.test, paid.header)).status).toBe(200);
    await setToken(name, ...of(), true);

    // The first payment shows the fault, and waits. No other one begins.
    const first = await readReport(one, begun.test, begun.header);
    expect([first.status, first.code]).toEqual([503, 'settlement_pending']);
    const refused = await readReport(one, unpaid.test, unpaid.header);
    expect([refused.status, refused.code]).toEqual([502, 'facilitator_unavailable']);
    expect((await fixtures.payment(unpaid.test.test_id)).types).toEqual([]);
    const selling = { can_sell: false, reason: expect.stringContaining('asset') };
    expect(await readiness()).toEqual([200, 'ready', selling]);
    expect((await readReport(one, paid.test)).status).toBe(200);
    expect((await readReport(one, unpaid.test)).status).toBe(502);
    expect((await readReport(one, { ...unpaid.test, read_token: 'x'.repeat(43) })).status).toBe(
      403,
    );
    expect(await created()).toEqual([201, false]);

    await setToken(name, ...of(), false);
    for (const { test: report, payer, header } of [begun, unpaid]) {
      expect((await readUntilDecided(one, report, header)).status).toBe(200);
      expect(await fixtures.transfers(payer)).toBe(1);
    }
    await expect.poll(created).toEqual([201, undefined]);
  },
);

test('with gas at 5,000 gwei, sales get 502, cost nothing, and cause one warning', async () => {
  const settings = { X402_MAX_SPEND_PER_HOUR: '1' };
  const two = await fixtures.replica({ name: 'two', settings });
  const admin = adminOf(fixtures.chain);
  const setBaseFee = async (gwei: string) => {
    await admin.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await admin.mine({ blocks: 1 });
  };
  const purchases = await Promise.all([0, 1, 2].map(() => fixtures.purchase()));
  await setBaseFee('5000');
  // A gas price is valid for one block, which takes 2 s.
  await delay(2_500);
  for (const { test: report, header, payer } of purchases) {
    const refused = await readReport(two, report, header);
    expect([refused.status, refused.code]).toEqual([502, 'facilitator_unavailable']);
    expect((await fixtures.payment(report.test_id)).types).toEqual([]);
    expect(await fixtures.transfers(payer)).toBe(0);
  }
  // The service writes its log a moment after its responses.
  const warnings = () => two.log.join('').split('gas is too expensive').length - 1;
  await expect.poll(warnings).toBe(1);
  await setBaseFee('1');
  const [{ test: report, header }] = purchases as [Purchase];
  await expect.poll(async () => (await readReport(two, report, header)).status).toBe(200);
});
