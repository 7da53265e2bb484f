/** Tests how our wallet raises the fees of a transaction that is not mined. */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSettlement } from '../../../src/adapters/chain/self-settlement.ts';
import { keySigner } from '../../../src/adapters/chain/signer.ts';
import type { SignedPayment } from '../../../src/ports/payment.ts';
import { type Chain, startChain } from '../../environment/chain.ts';
import {
  AMPLE,
  adminOf,
  jobOf,
  SOON_MS,
  signPayment,
} from '../../support/payments/payment-chain.ts';
import { startRpcProxy } from '../../support/payments/rpc-proxy.ts';
import { settleInVain } from '../../support/payments/self-settlement.ts';

const network = 'eip155:8453';
let slow: Chain;
let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
const mine = () => adminOf(slow).mine({ blocks: 1 });
const on = (blockMs: number) =>
  selfSettlement({
    rpcUrl: proxy.url,
    network,
    signer: keySigner(slow.hotWallet.privateKey),
    limits: AMPLE,
    clock: Date.now,
    blockMs,
  });

beforeAll(async () => {
  slow = await startChain();
  proxy = await startRpcProxy(slow.rpcUrl);
  await adminOf(slow).setAutomine(false);
});
afterAll(async () => {
  await proxy.stop();
  await slow.stop();
});

test('the fees are raised, and the first or the second transaction is mined, never both', async () => {
  const job = jobOf(await signPayment(slow));
  const outcome = on(20).settle(job, SOON_MS);
  await expect.poll(() => job.recorded.length).toBeGreaterThan(1);
  const [first, second] = job.recorded;
  await mine();

  expect(await outcome).toMatchObject({ kind: 'settled' });
  expect(second).toMatchObject({
    replaces: first?.transaction,
    wallet_nonce: first?.wallet_nonce,
    gas: first?.gas,
  });
  expect(Number(second?.max_fee_per_gas)).toBeGreaterThan(1.125 * Number(first?.max_fee_per_gas));
  expect(await slow.usdcBalance(slow.payTo)).toBe(50_000n);
});

test('the raises have a limit, cost no further queries, and the last one is mined', async () => {
  const before = await slow.usdcBalance(slow.payTo);
  const job = jobOf(await signPayment(slow));
  const outcome = on(4).settle(job, SOON_MS);
  await expect.poll(() => job.recorded.length).toBe(9);
  const sofar = proxy.calls.length;
  await delay(200);
  expect(job.recorded).toHaveLength(9);
  const asked = (method: string) => proxy.calls.slice(sofar).filter((one) => one === method).length;
  expect(asked('eth_getTransactionReceipt')).toBeLessThanOrEqual(
    asked('eth_getTransactionCount') + 1,
  );
  await mine();
  expect(await outcome).toMatchObject({ kind: 'settled' });
  expect(await slow.usdcBalance(slow.payTo)).toBe(before + 50_000n);
});

test('a transaction that is not mined in time is unknown, and found later', async () => {
  const before = await slow.usdcBalance(slow.payTo);
  const job = jobOf(await signPayment(slow));
  await settleInVain(on(2_000), job, 500);
  await mine();
  const again = jobOf(job.payment, job.recorded);
  expect(await on(2_000).settle(again, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(again.recorded).toEqual([]);
  expect(await slow.usdcBalance(slow.payTo)).toBe(before + 50_000n);
});

/** Settles to the end: an unknown outcome is pursued, as after a crash. */
async function settleFully(payment: SignedPayment, by: ReturnType<typeof on>) {
  const first = jobOf(payment);
  let outcome = await by.settle(first, SOON_MS);
  const signed = [...first.recorded];
  while (outcome.kind === 'unknown') {
    const next = jobOf(payment, signed);
    outcome = await by.settle(next, SOON_MS);
    signed.push(...next.recorded);
  }
  return outcome.kind;
}

test('with two writers on one key and both transactions in the pool, each transfer happens once', async () => {
  const before = await slow.usdcBalance(slow.payTo);
  const payments = await Promise.all(Array.from({ length: 6 }, () => signPayment(slow)));
  const [one, other] = [on(2_000), on(12_000)];
  let done = false;
  const outcomes = Promise.all(
    payments.map((payment, at) => settleFully(payment, at % 2 ? one : other)),
  ).finally(() => {
    done = true;
  });
  while (!done) {
    await mine();
    await delay(50);
  }
  expect(await outcomes).toEqual(Array(6).fill('settled'));
  expect(await slow.usdcBalance(slow.payTo)).toBe(before + 300_000n);
});
