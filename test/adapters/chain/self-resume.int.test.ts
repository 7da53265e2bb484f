/** Tests how our wallet resumes a settlement whose transaction was replaced, reverted or got stuck. */

import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { nowSeconds } from '../../support/payments/authorization.ts';
import { adminOf, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, settlement, sign, transfers, newPayer, drain, signedOnly } = useSelfSettlement();

test.each(['the same replica', 'another replica'])(
  '%s sends the stored transaction',
  async (who) => {
    const payment = await sign();
    const recorded = await signedOnly(payment);
    const key = who === 'another replica' ? generatePrivateKey() : undefined;
    const job = jobOf(payment, recorded);
    // The hot wallet's nonce may be taken by then. A key of its own leaves it free.
    expect(await settlement(key).settle(job, SOON_MS)).toMatchObject({
      kind: 'settled',
      receipt: { transaction: recorded[0]?.transaction },
    });
    expect(job.recorded).toEqual([]);
    expect(await transfers()).toBe(1);
  },
);

test('a transaction whose nonce was taken is signed again', async () => {
  const payment = await sign();
  const recorded = await signedOnly(payment);
  await settlement().settle(jobOf(await sign()), SOON_MS);
  const job = jobOf(payment, recorded);
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(job.recorded).toHaveLength(1);
  expect(job.recorded[0]).not.toHaveProperty('replaces');
  expect(await transfers()).toBe(2);
});

test('a transaction that reverted is signed again once the payer can pay', async () => {
  const { key, from } = await newPayer();
  const payment = await sign({ key, from });
  const recorded = await signedOnly(payment);
  await drain(key);
  const poor = jobOf(payment, recorded);
  expect(await settlement().settle(poor, SOON_MS)).toMatchObject({ kind: 'unknown' });
  expect(poor.recorded).toEqual([]);

  await chain().fundToken(from, 50_000n);
  const rich = jobOf(payment, recorded);
  expect(await settlement().settle(rich, SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(rich.recorded).toHaveLength(1);
  expect(await transfers()).toBe(1);
});

test('four transactions that came to nothing are enough', async () => {
  const payment = await sign();
  const [tx] = await signedOnly(payment);
  await settlement().settle(jobOf(await sign()), SOON_MS);
  if (!tx) throw new Error('nothing was signed');
  const resumed = async (count: number) => {
    const job = jobOf(payment, Array(count).fill(tx));
    return { job, outcome: await settlement().settle(job, SOON_MS) };
  };
  const { job, outcome } = await resumed(4);
  expect(outcome).toMatchObject({ kind: 'unknown', reason: 'not_mined' });
  expect(job.recorded).toEqual([]);
  expect((await resumed(3)).outcome).toMatchObject({ kind: 'settled' });
});

test('with less than twenty seconds of validity left, nothing is signed again', async () => {
  const payment = await sign({ validBefore: nowSeconds() + 15 });
  const recorded = await signedOnly(payment);
  await settlement().settle(jobOf(await sign()), SOON_MS);
  const job = jobOf(payment, recorded);
  expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'unknown' });
  expect(job.recorded).toEqual([]);
});

test('a stranger’s transaction that is stuck is overtaken', async () => {
  const stranger = generatePrivateKey();
  const { address } = privateKeyToAccount(stranger);
  await chain().fundEther(address, parseEther('1'));
  const payment = await sign();
  // Because of the gap before it, the transaction cannot be mined.
  const set = (nonce: number) => adminOf(chain()).setNonce({ address, nonce });
  await set(7);
  const recorded = await signedOnly(payment, stranger);
  await set(5);
  const job = jobOf(payment, recorded);
  expect(await settlement(chain().hotWallet.privateKey, 40).settle(job, SOON_MS)).toMatchObject({
    kind: 'settled',
  });
  expect(job.recorded).toMatchObject([{ wallet: chain().hotWallet.address }]);
  expect(await transfers()).toBe(1);
});
