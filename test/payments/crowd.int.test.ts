/** Tests a crowd of new buyers behind one address. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf } from '../support/payments/payment-chain.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import type { Fork } from '../support/payments/service-fork.ts';

/**
 * Number of buyers at once behind one address, and of seconds between two blocks. The long form has 200 and
 * 2, in 60 s.
 */
const BUYERS = 45;
const BLOCK_SECONDS = 1;

let fixtures: PaymentFixtures;
let one: Fork;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  one = await fixtures.replica({ name: 'one' });
});
afterAll(() => fixtures?.stop());

type Purchase = Awaited<ReturnType<PaymentFixtures['purchase']>>;

const ask = async ({ test: report, header }: Purchase, ip: string) => {
  const answer = await fetch(`${one.http}/v1/report?test_id=${report.test_id}`, {
    headers: {
      'x-read-token': report.read_token,
      'payment-signature': header,
      'x-forwarded-for': ip,
    },
  });
  await answer.body?.cancel();
  return { status: answer.status, seconds: Number(answer.headers.get('retry-after') ?? 0) };
};

/**
 * Repeats the request after `Retry-After`, as a client should. Returns the waits that it was told, in
 * seconds.
 */
async function buy(purchase: Purchase, ip: string): Promise<readonly number[]> {
  const waits: number[] = [];
  while (true) {
    const { status, seconds } = await ask(purchase, ip);
    if (status === 200) return waits;
    if (![429, 502, 503].includes(status)) throw new Error(`a buyer got ${status}`);
    waits.push(seconds);
    await sleep(seconds * 1000);
  }
}

test('a crowd of new buyers behind one address, of which an empty wallet signs 60 times, is served', async () => {
  const empty = await fixtures.newPayer(0);
  const purchases = await Promise.all(Array.from({ length: BUYERS }, () => fixtures.purchase()));
  for (let signed = 0; signed < 60; signed += 1) {
    const [report, payment] = await Promise.all([fixtures.readyTest(), fixtures.sign(empty)]);
    expect((await ask({ test: report, ...payment }, '203.0.113.7')).status).toBe(402);
  }
  await adminOf(fixtures.chain).setIntervalMining({ interval: BLOCK_SECONDS });
  const waits = (await Promise.all(purchases.map((one) => buy(one, '203.0.113.7')))).flat();
  await adminOf(fixtures.chain).setAutomine(true);
  for (const { payer } of purchases) expect(await fixtures.transfers(payer)).toBe(1);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(20);
});
