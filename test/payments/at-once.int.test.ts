/** Tests many simultaneous payments on a local chain. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { WAIT_MS } from '../run/limits.mjs';
import {
  type PaymentFixtures,
  readOnceHeard,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import type { Fork } from '../support/payments/service-fork.ts';

/**
 * Long time limits: this many requests take a busy machine long, and no response here should be due to a lack
 * of time.
 */
const timeouts = { request: WAIT_MS, join: WAIT_MS, line: WAIT_MS, settle: WAIT_MS };

let fixtures: PaymentFixtures;
let one: Fork;
let two: Fork;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  [one, two] = await Promise.all([
    fixtures.replica({ name: 'one', timeouts }),
    fixtures.replica({ name: 'two', timeouts }),
  ]);
});
afterAll(() => fixtures?.stop());

/** Largest number of calls of the node for one sale. */
const MOST_CALLS = 14;

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statusesOf = (answers: readonly { status: number; code?: string }[]) => [
  ...new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`)),
];

test('a sale makes no more calls of the node than necessary', async () => {
  const payer = await fixtures.newPayer(5);
  const buy = async () => {
    const [report, { header }] = await Promise.all([fixtures.readyTest(), fixtures.sign(payer)]);
    expect((await readOnceHeard(one, report, header)).status).toBe(200);
  };
  await buy();
  const before = fixtures.proxy.calls.length;
  for (let sale = 0; sale < 4; sale += 1) await buy();
  // Calls that are made in the background in the meantime are included.
  const calls = fixtures.proxy.calls.slice(before);
  expect(calls.length / 4, calls.join(' ')).toBeLessThanOrEqual(MOST_CALLS);
});

test('a hundred equal good payments at two replicas get a hundred 200 responses and make one transfer', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  const answers = await times(100, (index) => readOnceHeard(index % 2 ? one : two, report, header));
  expect(statusesOf(answers)).toEqual(['200 ']);
  expect(await fixtures.transfers(payer)).toBe(1);
});

test('a hundred equal payments without funds at two replicas get a hundred 402 responses', async () => {
  const { test: report, header } = await fixtures.purchase({ reports: 0 });
  const answers = await times(100, (index) => readOnceHeard(index % 2 ? one : two, report, header));
  expect(statusesOf(answers)).toEqual(['402 payment_invalid']);
});

test('one honest wallet buys fifty reports at once', async () => {
  const payer = await fixtures.newPayer(50);
  const purchases = await times(50, async () => {
    const [report, { header }] = await Promise.all([fixtures.readyTest(), fixtures.sign(payer)]);
    return { report, header };
  });
  const answers = await Promise.all(
    purchases.map(({ report, header }) => readOnceHeard(one, report, header)),
  );
  expect(statusesOf(answers)).toEqual(['200 ']);
  expect(await fixtures.transfers(payer)).toBe(50);
});

test('an account that holds one price and sends sixty payments costs one transaction', async () => {
  const payer = await fixtures.newPayer(1);
  const purchases = await times(60, async () => {
    const [report, { header }] = await Promise.all([fixtures.readyTest(), fixtures.sign(payer)]);
    return { report, header };
  });
  const answers = await Promise.all(
    purchases.map(({ report, header }) => readOnceHeard(one, report, header)),
  );
  expect(statusesOf(answers).sort()).toEqual(['200 ', '402 payment_invalid']);
  const signed = await Promise.all(
    purchases.map(async ({ report }) => (await fixtures.payment(report.test_id)).types),
  );
  expect(signed.flat().filter((type) => type === 'TransactionSigned')).toHaveLength(1);
  expect(await fixtures.transfers(payer)).toBe(1);
});
