/** Tests that our wallet stays within its limits on gas, per settlement and per hour. */

import { type Hex, parseEther, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { networksOf } from '../../../src/domain/fairness/networks.ts';
import { adminOf, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const ATTACKER = networksOf('198.51.100.7');

const { chain, settlement, sign, transfers } = useSelfSettlement();
const setBaseFee = (gwei: string) =>
  adminOf(chain()).setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
const by = (perSettlement: string, perHour = '1000') =>
  settlement(undefined, 40, {
    perSettlement: parseEther(perSettlement),
    perHour: parseEther(perHour),
  });

const YES = '61162660f01b61ba7e60e01b1760005260206000f3';

/** Bytecode that reads memory at 480,000. That much memory takes 484,000 gas. */
const GREEDY = '620753005150';

/** A payment from a contract wallet of its own that approves everything, as ERC-1271 requires. */
async function changeableWallet(before = '') {
  const from = privateKeyToAccount(generatePrivateKey()).address;
  await adminOf(chain()).setCode({ address: from, bytecode: `0x${before}${YES}` });
  await chain().fundToken(from, 50_000n);
  return sign({ from });
}

afterEach(async () => {
  await setBaseFee('1');
  await adminOf(chain()).mine({ blocks: 1 });
});

test('at 5,000 gwei nothing is sold', async () => {
  await setBaseFee('5000');
  await adminOf(chain()).mine({ blocks: 1 });
  await expect(by('0.001').ready(null)).rejects.toThrow('a hundredth of X402_MAX_SPEND_PER_HOUR');
});

test('nothing is signed for gas that becomes expensive after the start', async () => {
  const payment = await sign();
  const cheap = by('0.001');
  await setBaseFee('5000');
  await adminOf(chain()).mine({ blocks: 1 });
  const job = jobOf(payment);
  expect(await cheap.settle(job, SOON_MS)).toEqual({
    kind: 'unknown',
    reason: 'gas_fee_too_high',
  });
  expect([job.recorded, await transfers()]).toEqual([[], 0]);
});

test('no transaction may cost more than the limit, raised or not', async () => {
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

test('nothing is signed for a wallet that uses more gas than a payment may', async () => {
  const job = jobOf(await changeableWallet(GREEDY));
  expect(await by('1').settle(job, SOON_MS)).toEqual({
    kind: 'unknown',
    reason: 'simulation_failed',
  });
  expect([job.recorded, await transfers()]).toEqual([[], 0]);
});

describe('within an hour', () => {
  test('no more is spent than the limit allows', async () => {
    const thrifty = by('1', '0.0005');
    const kinds = [];
    for (let index = 0; index < 12; index += 1) {
      // The fee is set each time, because it would otherwise fall with each block. Twelve settlements at this
      // fee cost more than is allowed, whatever the tip is.
      await setBaseFee('1');
      kinds.push((await thrifty.settle(jobOf(await sign()), SOON_MS)).kind);
    }
    expect(kinds[0]).toBe('settled');
    expect(kinds.at(-1)).toBe('unknown');
    await expect(thrifty.ready(null)).rejects.toThrow('X402_MAX_SPEND_PER_HOUR');
  });

  test('payers that never paid share half of it by network, and what is paid for is given back', async () => {
    const sparing = by('1', '0.0012');
    const kinds = [];
    for (let index = 0; index < 8; index += 1) {
      const [payment, bytecode] = [await changeableWallet(), '0x5f5ffd'] as const;
      const job = { ...jobOf(payment), unproven: ATTACKER };
      const recordSigned: typeof job.recordSigned = async (tx) => {
        await job.recordSigned(tx);
        await adminOf(chain()).setCode({ address: payment.authorization.from as Hex, bytecode });
      };
      kinds.push(await sparing.settle({ ...job, recordSigned }, SOON_MS));
    }
    expect(kinds.at(0)).toMatchObject({ reason: 'transaction_failed' });
    expect(kinds.at(-1)).toMatchObject({ reason: 'gas_fee_too_high' });
    await expect(sparing.ready(ATTACKER)).rejects.toThrow('their share of X402_MAX_SPEND_PER_HOUR');
    // The neighbours of the attacker have nothing left either, but clients from elsewhere have the rest.
    await expect(sparing.ready(networksOf('198.51.100.9'))).rejects.toThrow();
    await sparing.ready(networksOf('203.0.113.5'));
    const elsewhere = { ...jobOf(await changeableWallet()), unproven: networksOf('203.0.113.5') };
    expect((await sparing.settle(elsewhere, SOON_MS)).kind).toBe('settled');
    await sparing.ready(null);
    expect((await sparing.settle(jobOf(await sign()), SOON_MS)).kind).toBe('settled');
  });
});
