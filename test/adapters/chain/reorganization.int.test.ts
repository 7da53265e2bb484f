/** Tests that our wallet continues after a chain reorganization has removed its transactions. */

import { expect, test } from 'vitest';
import { adminOf, jobOf } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, settlement, sign, transfers } = useSelfSettlement();

/** Time limit of a settlement in milliseconds, many times longer than one takes. */
const AMPLE_MS = 30_000;

test('a lone payment after a reorganization succeeds, and restores what was lost', async () => {
  const ours = settlement();
  const before = await adminOf(chain()).snapshot();
  const lost = [jobOf(await sign()), jobOf(await sign())];
  for (const job of lost)
    expect(await ours.settle(job, AMPLE_MS)).toMatchObject({ kind: 'settled' });
  await adminOf(chain()).revert({ id: before });
  expect(await transfers()).toBe(0);

  expect(await ours.settle(jobOf(await sign()), AMPLE_MS)).toMatchObject({ kind: 'settled' });
  expect(await transfers()).toBe(3);
});

test('a gap that nobody remembers is filled with nothing', async () => {
  const payment = await sign();
  const first = settlement();
  const before = await adminOf(chain()).snapshot();
  await first.settle(jobOf(await sign()), AMPLE_MS);
  const job = jobOf(payment);
  const recordSigned: typeof job.recordSigned = async (tx) => {
    await job.recordSigned(tx);
    throw new Error('the replica dies');
  };
  await first.settle({ ...job, recordSigned }, AMPLE_MS);
  await adminOf(chain()).revert({ id: before });
  const restarted = settlement();
  const again = jobOf(payment, job.recorded);
  expect(await restarted.settle(again, AMPLE_MS)).toMatchObject({ kind: 'settled' });
  expect([again.recorded, await transfers()]).toEqual([[], 1]);
});
