/** Tests payments from smart contract wallets and from accounts with borrowed code. */

import { describe, expect, test } from 'vitest';
import { jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const self = useSelfSettlement();
const { judge, settlement, transfers } = self;
const { futureWalletPayment, delegatedPayment, smartWalletPayment, refusedPayment } = self;

const ownFactory = '0x00000000000000000000000000000000000000fa';

describe('is charged once, in one transaction:', () => {
  test.each([
    ['of a deployed contract wallet', () => smartWalletPayment()],
    ['of a wallet that its factory deploys with it', () => futureWalletPayment(1n)],
    ['of a wallet of a factory of its own', () => futureWalletPayment(3n, ownFactory)],
    ['of an account with the code of a wallet', () => delegatedPayment()],
  ])('a payment %s', async (_, sign) => {
    const payment = await sign();
    const job = jobOf(payment);
    expect(await settlement().settle(job, SOON_MS)).toMatchObject({ kind: 'settled' });
    expect(job.recorded).toHaveLength(1);
    expect(await transfers()).toBe(1);
    expect(await judge().ended(payment)).toBe('settled');
  });
});

test('a wallet that was already deployed pays with the same kind of signature', async () => {
  const first = await futureWalletPayment(2n);
  await settlement().settle(jobOf(first), SOON_MS);
  const second = await futureWalletPayment(2n);
  expect(second.authorization.from).toBe(first.authorization.from);
  expect((await settlement().settle(jobOf(second), SOON_MS)).kind).toBe('settled');
  expect(await transfers()).toBe(2);
});

test('an account whose code refuses what its key signed is told so, and pays without the code', async () => {
  const { payment, lend, takeBack } = await refusedPayment();
  await lend();
  expect(await judge().checkSignature(payment)).toMatchObject({ ok: true });
  const refused = { kind: 'unknown', reason: 'account_code_refuses', isRefusedByCode: true };
  expect(await settlement().settle(jobOf(payment), SOON_MS)).toEqual(refused);
  expect(await transfers()).toBe(0);
  await takeBack();
  expect(await settlement().settle(jobOf(payment), SOON_MS)).toMatchObject({ kind: 'settled' });
});
