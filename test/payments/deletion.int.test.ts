/** Tests the deletion of a test while its report is being bought. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReport } from '../support/payments/payment-environment.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import type { ReadyTest } from '../support/payments/ready-test.ts';
import type { Fork } from '../support/payments/service-fork.ts';
import { prng } from '../support/prng/prng.ts';

let fixtures: PaymentFixtures;
let one: Fork;
let two: Fork;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  [one, two] = await Promise.all([
    fixtures.replica({ name: 'one' }),
    fixtures.replica({ name: 'two' }),
  ]);
});
afterAll(() => fixtures?.stop());

async function del({ http }: Fork, { test_id, read_token }: ReadyTest): Promise<number> {
  const headers = { 'x-read-token': read_token };
  return (await fetch(`${http}/v1/tests/${test_id}`, { method: 'DELETE', headers })).status;
}

/** Waits until the test is unknown to both replicas. Each learns of an end from the log. */
const unknownToAll = (report: ReadyTest) =>
  expect
    .poll(() => Promise.all([one, two].map(async (at) => (await readReport(at, report)).status)))
    .toEqual([404, 404]);

test('a test that is deleted before the start of its settlement costs nobody anything', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  const deleted: number[] = [];
  fixtures.at('before SettlementStarted', report.test_id, async () => {
    deleted.push(await del(two, report));
  });
  expect(await readReport(one, report, header)).toMatchObject({
    status: 404,
    code: 'test_not_found',
  });
  expect(deleted).toEqual([204]);
  expect(await fixtures.transfers(payer)).toBe(0);
  expect((await fixtures.payment(report.test_id)).value).toBe('unpaid');
  await unknownToAll(report);
});

test('a deletion waits for a settlement that has begun, and the buyer gets the report', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  const deleted: Promise<number>[] = [];
  fixtures.at('after SettlementStarted', report.test_id, async () => {
    deleted.push(del(two, report));
  });
  expect(await readReport(one, report, header)).toMatchObject({ status: 200 });
  expect(await Promise.all(deleted)).toEqual([204]);
  expect(await fixtures.transfers(payer)).toBe(1);
  await unknownToAll(report);
  expect((await fixtures.payment(report.test_id)).value).toBe('paid');
});

test('reading, paying and deleting at once: anyone who is charged has the report, and everything ends deleted', async () => {
  const random = prng(20261122);
  const wait = () => new Promise((resolve) => setTimeout(resolve, random.integer(0, 120)));
  const rounds = Array.from({ length: 16 }, async () => {
    const { test: report, payer, header } = await fixtures.purchase();
    const [read, first] = await Promise.all([
      wait().then(() => readReport(one, report, header)),
      wait().then(() => del(two, report)),
    ]);
    const charged = await fixtures.transfers(payer);
    expect([`${read.status} ${charged}`], `${first}`).toContain(
      read.status === 200 ? '200 1' : '404 0',
    );
    if (first === 503) expect([204, 404]).toContain(await del(one, report));
    else expect(first).toBe(204);
    await unknownToAll(report);
  });
  await Promise.all(rounds);
});
