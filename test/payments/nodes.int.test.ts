/** Tests when faulty chain nodes stop sales. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WAIT_MS } from '../run/limits.mjs';
import { adminOf } from '../support/payments/payment-chain.ts';
import { readReport } from '../support/payments/payment-environment.ts';
import {
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { grantsOnly, startRpcProxy } from '../support/payments/rpc-proxy.ts';
import type { Fork } from '../support/payments/service-fork.ts';

let fixtures: PaymentFixtures;
let second: Awaited<ReturnType<typeof startRpcProxy>>;
let one: Fork;
let two: Fork;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  second = await startRpcProxy(fixtures.chain.rpcUrl);
  await adminOf(fixtures.chain).mine({ blocks: 250 });
  [one, two] = await Promise.all([
    fixtures.replica({ name: 'one' }),
    fixtures.replica({ name: 'two', settings: { X402_SECOND_RPC_URL: second.url } }),
  ]);
});
afterEach(() => {
  fixtures.proxy.fail();
  second.fail();
});
afterAll(async () => {
  await fixtures?.stop();
  await second?.stop();
});

/** Returns what a replica says after someone who may buy has asked, which makes it check anew. */
async function selling(replica: Fork) {
  await fetch(`${replica.http}/v1/tests`, { method: 'POST' });
  const answer = await fetch(`${replica.http}/readyz`);
  return ((await answer.json()) as { selling: { can_sell: boolean; reason?: string } }).selling;
}

const untilItSells = (replica: Fork, can_sell: boolean) =>
  expect.poll(async () => (await selling(replica)).can_sell, { timeout: WAIT_MS }).toBe(can_sell);

/**
 * Expects that nothing is sold to anyone who has not signed, but a paid report is read, and a test is
 * deleted.
 */
async function expectNothingIsSold(replica: Fork, reason: RegExp) {
  await untilItSells(replica, false);
  expect((await selling(replica)).reason).toMatch(reason);
  const [unpaid, deleted] = [await fixtures.readyTest(), await fixtures.readyTest()];
  expect(await readReport(replica, unpaid)).toMatchObject({ status: 502 });
  const removed = await fetch(`${replica.http}/v1/tests/${deleted.test_id}`, {
    method: 'DELETE',
    headers: { 'x-read-token': deleted.read_token },
  });
  expect(removed.status).toBe(204);
}

test('with a node that allows 10 blocks, nothing is sold, and a payment that was signed continues', async () => {
  const { test: paid, header } = await fixtures.purchase();
  expect((await readUntilDecided(one, paid, header)).status).toBe(200);
  const signed = await fixtures.purchase();
  fixtures.proxy.fail(grantsOnly(10));
  await expectNothingIsSold(one, /X402_RPC_URL node allows 10 blocks.*at least 180/);
  expect((await readReport(one, paid)).status).toBe(200);
  expect((await readUntilDecided(one, signed.test, signed.header)).status).toBe(200);
  expect(await fixtures.transfers(signed.payer)).toBe(1);
  fixtures.proxy.fail();
  await untilItSells(one, true);
});

test('with a node that allows 200 blocks, every kind of payer is served, whoever sends it', async () => {
  fixtures.proxy.fail(grantsOnly(200));
  const wallet = await fixtures.smartWallet();
  const ofWallet = await fixtures.readyTest();
  expect((await readUntilDecided(one, ofWallet, wallet.header)).status).toBe(200);
  // A stranger sends the payment while its settlement is started.
  const { test: report, payer, header, signed } = await fixtures.purchase();
  fixtures.at('before SettlementStarted', report.test_id, () => fixtures.broadcast(payer, signed));
  expect((await readUntilDecided(one, report, header)).status).toBe(200);
  expect(await fixtures.transfers(payer)).toBe(1);
  expect(await selling(one)).toEqual({ can_sell: true });
});

test('with a node whose newest block is old, nothing is sold', async () => {
  // The node is behind by 100 s, and a little more at each look.
  fixtures.proxy.fail((method, body) =>
    method === 'eth_getBlockByNumber' && body.includes('latest')
      ? {
          edit: ({ timestamp, ...block }: { timestamp: string }) => ({
            ...block,
            timestamp: `0x${(Number(timestamp) - 100).toString(16)}`,
          }),
        }
      : 'pass',
  );
  await expectNothingIsSold(one, /newest block on the X402_RPC_URL node is \d+ s old/);
  fixtures.proxy.fail();
  await untilItSells(one, true);
});

test('while the second node is unavailable, nothing is sold, but paid reports are read', async () => {
  await untilItSells(two, true);
  const { test: paid, header } = await fixtures.purchase();
  expect((await readUntilDecided(two, paid, header)).status).toBe(200);
  second.fail(() => 'cut');
  await expectNothingIsSold(two, /X402_SECOND_RPC_URL node does not respond/);
  expect((await readReport(two, paid)).status).toBe(200);
  second.fail();
  await untilItSells(two, true);
});

test('with two nodes that follow different chains, nothing is sold', async () => {
  second.fail((method) =>
    method === 'eth_getBlockByNumber'
      ? { edit: (block: object) => ({ ...block, hash: `0x${'f'.repeat(64)}` }) }
      : 'pass',
  );
  await expectNothingIsSold(two, /A block that was compared differs/);
});
