/** Defines the tests that every way of settling a payment must pass: our own wallet and a facilitator. */

import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Settlement, SignedPayment } from '../../src/ports/payment.ts';
import type { Chain } from '../environment/chain.ts';
import { jobOf, SOON_MS, signPayment } from '../support/payments/payment-chain.ts';

interface Harness {
  readonly chain: () => Chain;
  readonly settlement: () => Settlement;
  /** Makes the node or the facilitator that moves the money silent until the test ends. */
  readonly silence: () => void;
  /** Returns the number of payments that reached us since the test began. */
  readonly transfers: () => Promise<number>;
  readonly poorPayer: () => Promise<{ readonly key: `0x${string}`; readonly from: `0x${string}` }>;
  readonly walletPayment: () => Promise<SignedPayment>;
}

/** Tests what every `Settlement` must guarantee: our own wallet, or a facilitator. */
export function settlementContract(harness: Harness): void {
  const { transfers, settlement } = harness;
  const sign = (options?: Parameters<typeof signPayment>[1]) =>
    signPayment(harness.chain(), options);
  const settle = async (payment: SignedPayment) =>
    (await settlement().settle(jobOf(payment), SOON_MS)).kind;

  test('it can begin, for a payer that has paid and for one that never did', async () => {
    await settlement().ready(null);
    await settlement().ready([]);
  });

  test('a good payment moves once, and its receipt names the transaction and the payer', async () => {
    const payment = await sign();
    expect(await settlement().settle(jobOf(payment), SOON_MS)).toEqual({
      kind: 'settled',
      receipt: {
        success: true,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        network: 'eip155:8453',
        payer: payment.authorization.from,
      },
    });
    expect(await transfers()).toBe(1);
    expect(await settle(payment)).toBe('unknown');
    expect(await transfers()).toBe(1);
  });

  test('a payment of a contract wallet moves once', async () => {
    expect(await settle(await harness.walletPayment())).toBe('settled');
    expect(await transfers()).toBe(1);
  });

  test('the same payment twice at once moves once', async () => {
    const payment = await sign();
    expect(await Promise.all([settle(payment), settle(payment)])).toContain('settled');
    expect(await transfers()).toBe(1);
  });

  test.each([
    ['of a payer without the money', async () => sign(await harness.poorPayer())],
    ['signed by somebody else', () => sign({ key: generatePrivateKey() })],
    ['out of its time', () => sign({ validBefore: 1_000 })],
  ])(
    'a payment with %s moves nothing, and its outcome is unknown: anyone who has seen it may send it',
    async (_, signing) => {
      const job = jobOf(await signing());
      expect(await settlement().settle(job, SOON_MS)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringMatching(/^\w+$/),
      });
      expect(job.recorded).toEqual([]);
      expect(await transfers()).toBe(0);
    },
  );

  test('it ends at its deadline', async () => {
    harness.silence();
    expect(await settlement().settle(jobOf(await sign()), 200)).toMatchObject({ kind: 'unknown' });
  });
}
