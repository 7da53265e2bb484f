import { parseEther, parseGwei } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { adminOf, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, settlement, sign, transfers } = useSelfSettlement();
const setBaseFee = (gwei: string) =>
  adminOf(chain()).setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
const by = (perSettlement: string, perHour = '1000') =>
  settlement(undefined, 200, {
    perSettlement: parseEther(perSettlement),
    perHour: parseEther(perHour),
  });

afterEach(async () => {
  await setBaseFee('1');
  await adminOf(chain()).mine({ blocks: 1 });
});

test('at 5,000 gwei nothing is sold', async () => {
  await setBaseFee('5000');
  await adminOf(chain()).mine({ blocks: 1 });
  await expect(by('0.001').ready()).rejects.toThrow('X402_MAX_FEE_PER_SETTLEMENT');
});

test('gas that becomes dear after the start is refused before anything is signed', async () => {
  const payment = await sign();
  const cheap = by('0.001');
  await setBaseFee('5000');
  await adminOf(chain()).mine({ blocks: 1 });
  const job = jobOf(payment);
  expect(await cheap.settle(job, SOON_MS)).toEqual({
    kind: 'refused',
    reason: 'gas_fee_too_high',
    upstream: true,
  });
  expect([job.recorded, await transfers()]).toEqual([[], 0]);
});

test('no transaction may cost more than is allowed, raised or not', async () => {
  const slow = by('0.0009');
  await adminOf(chain()).setAutomine(false);
  const job = jobOf(await sign());
  const outcome = slow.settle(job, SOON_MS);
  await expect.poll(() => job.recorded.length).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await adminOf(chain()).mine({ blocks: 1 });
  await adminOf(chain()).setAutomine(true);
  expect(await outcome).toMatchObject({ kind: 'settled' });
  for (const tx of job.recorded)
    expect(BigInt(tx.gas) * BigInt(tx.max_fee_per_gas)).toBeLessThanOrEqual(parseEther('0.0009'));
});

describe('within an hour', () => {
  test('no more is spent than is allowed', async () => {
    const thrifty = by('1', '0.0005');
    const outcomes = [];
    for (let index = 0; index < 6; index += 1)
      outcomes.push(await thrifty.settle(jobOf(await sign()), SOON_MS));
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds[0]).toBe('settled');
    expect(kinds.at(-1)).toBe('refused');
    await expect(thrifty.ready()).rejects.toThrow('X402_MAX_SPEND_PER_HOUR');
  });
});
