import { afterAll, beforeAll, expect, test } from 'vitest';
import { callToken } from '../support/payments/payment-chain.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import type { Fork } from '../tools/soak/service-fork.ts';

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

test.each([
  ['is paused', 'setPaused', () => []],
  ['denies payments to the payee', 'setBlacklisted', () => [fixtures.chain.payTo]],
] as const)(
  'a token that %s is 502, shows in readyz, and touches nothing paid',
  async (_, name, of) => {
    const [paid, unpaid] = await Promise.all([fixtures.purchase(), fixtures.purchase()]);
    expect((await readReport(one, paid.test, paid.header)).status).toBe(200);
    await setToken(name, ...of(), true);

    const refused = await readReport(one, unpaid.test, unpaid.header);
    expect([refused.status, refused.code]).toEqual([502, 'facilitator_unavailable']);
    expect((await fixtures.payment(unpaid.test.test_id)).types).toEqual([]);
    const selling = { can_sell: false, reason: expect.stringContaining('asset') };
    expect(await readiness()).toEqual([200, 'ready', selling]);
    expect((await readReport(one, paid.test)).status).toBe(200);
    expect((await readReport(one, unpaid.test)).status).toBe(402);

    await setToken(name, ...of(), false);
    expect((await readReport(one, unpaid.test, unpaid.header)).status).toBe(200);
  },
);
