/** Tests sales while the chain mines no block. */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payingFetch } from '../environment/payer.ts';
import { readReport } from '../support/payments/payment-environment.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import type { Fork } from '../support/payments/service-fork.ts';

/**
 * How long the chain mines no block, in milliseconds: several times the time that a settlement has before the
 * chain is asked.
 */
const STANDSTILL_MS = 4_000;

/** A tenth of the real time limits, except for how long a request waits. */
const timeouts = {
  ...{ request: 10_000, join: 500, settle: 800 },
  ...{ firstPause: 100, longestPause: 500, decision: 120_000 },
};

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

/** Runs work while the chain mines no block, until `resume` is called. */
async function standingStill<T>(work: (resume: () => Promise<void>) => Promise<T>): Promise<T> {
  const release = await fixtures.chain.holdBlocks();
  let released: Promise<void> | undefined;
  const resume = () => {
    released ??= release();
    return released;
  };
  try {
    return await work(resume);
  } finally {
    await resume();
  }
}

const outcome = async (id: string, payer: Parameters<PaymentFixtures['transfers']>[0]) => [
  (await fixtures.payment(id)).value,
  await fixtures.transfers(payer),
];

test('the official client waits for a chain that stands still, and pays once', async () => {
  const [report, payer] = await Promise.all([fixtures.readyTest(), fixtures.newPayer(3)]);
  const pay = payingFetch(payer.privateKey, 'eip155:8453');
  const answer = await standingStill(async (resume) => {
    let isOver = false;
    const asked = pay(`${one.http}/v1/report?test_id=${report.test_id}`, {
      headers: { 'X-Read-Token': report.read_token },
    }).finally(() => {
      isOver = true;
    });
    await delay(STANDSTILL_MS);
    expect(isOver).toBe(false);
    await resume();
    return asked;
  });
  expect([answer.status, answer.headers.has('payment-response')]).toEqual([200, true]);
  expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
});

test('the same payment waits at another replica, too, and a request without it is told not to sign', async () => {
  const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
  const answers = await standingStill(async (resume) => {
    const asked = [one, two, two].map((replica) => readReport(replica, report, header));
    await delay(STANDSTILL_MS / 4);
    const other = (await fixtures.sign(payer)).header;
    for (const sent of [undefined, other])
      expect(await readReport(two, report, sent)).toMatchObject({
        status: 503,
        code: 'settlement_pending',
      });
    await delay(STANDSTILL_MS / 2);
    await resume();
    return Promise.all(asked);
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
});

test('a service that stops responds to those who wait, and the report opens elsewhere', async () => {
  const three = await fixtures.replica({ name: 'three', timeouts });
  const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
  await standingStill(async () => {
    const asked = readReport(three, report, header);
    await delay(STANDSTILL_MS);
    const stopped = three.stop();
    expect(await asked).toMatchObject({ status: 503, code: 'settlement_pending' });
    await stopped;
  });
  expect((await readReport(two, report, header)).status).toBe(200);
  expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
});

test('a client that disconnects is not waited for, and finds the report open', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  await standingStill(async () => {
    const hangUp = new AbortController();
    const asked = fetch(`${one.http}/v1/report?test_id=${report.test_id}`, {
      headers: { 'x-read-token': report.read_token, 'payment-signature': header },
      signal: hangUp.signal,
    });
    await delay(STANDSTILL_MS / 2);
    hangUp.abort();
    await expect(asked).rejects.toThrow('aborted');
  });
  expect((await readReport(one, report, header)).status).toBe(200);
  expect((await readReport(two, report)).status).toBe(200);
  expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
});
