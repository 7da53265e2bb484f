/** Tests the quotas on claims and settlements that payers start without ever paying. */

import { expect, test } from 'vitest';
import { openUnpaidShares } from '../../src/actors/settler/unpaid-shares.ts';

const HOUR_MS = 3_600_000;

function someShares() {
  let now = 0;
  const shares = openUnpaidShares(() => now);
  return {
    ...shares,
    /** Returns how many of the attempted claims succeed. */
    claims: (ip: string, count: number, id = 'test') =>
      Array.from({ length: count }, () => shares.claim({ id, ip })).filter(
        (share) => typeof share === 'function',
      ).length,
    /** Returns how many of the attempted settlements start. They come to nothing unless they are paid. */
    async starts(ip: string, count: number, id = 'test') {
      let started = 0;
      for (let index = 0; index < count; index += 1) {
        const place = await shares.start({ id, ip }, 0);
        if (!('leave' in place)) continue;
        started += 1;
        shares.keep(id, place);
        place.leave();
      }
      return started;
    },
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('a client starts 20 payments per hour that come to nothing, and a /26 starts 80', async () => {
  const { starts, advance } = someShares();
  expect(await starts('192.0.2.1', 100)).toBe(20);
  for (const client of [2, 3, 4]) expect(await starts(`192.0.2.${client}`, 100)).toBeGreaterThan(0);
  expect(await starts('192.0.2.9', 100)).toBeLessThan(20);
  expect(await starts('192.0.2.200', 100)).toBe(20);
  advance(HOUR_MS);
  expect(await starts('192.0.2.1', 100)).toBe(20);
});

test('a payment that is settled gives back as much as its purchase used', async () => {
  const { starts, claims, paid } = someShares();
  await starts('192.0.2.1', 20, 'bought');
  claims('192.0.2.1', 60, 'bought');
  expect([await starts('192.0.2.1', 1), claims('192.0.2.1', 1)]).toEqual([0, 0]);
  paid('bought');
  paid('bought');
  expect([await starts('192.0.2.1', 100), claims('192.0.2.1', 100)]).toEqual([20, 60]);
});

test('all networks together start 600 per hour, and 64 that try exclude no other', async () => {
  const { starts } = someShares();
  let started = 0;
  for (let index = 0; index < 64; index += 1) started += await starts(`10.${index}.0.1`, 100);
  for (let index = 0; index < 64; index += 1) expect(await starts(`172.${index}.0.1`, 1)).toBe(1);
  for (let index = 64; index < 255; index += 1) started += await starts(`10.${index}.0.1`, 100);
  expect(started + 64).toBeLessThanOrEqual(600);
});

test('claims that are never paid leave room in their bucket, from however many networks', () => {
  const { claims } = someShares();
  let claimed = 0;
  for (let index = 0; index < 3_000; index += 1)
    claimed += claims(`2001:db8:${index.toString(16)}::1`, 2);
  expect(claims('192.0.2.1', 1)).toBe(1);
  // A claim takes 475 bytes, and the bucket keeps it for 48 hours.
  expect(claimed * 475 * 48).toBeLessThan((256 * 2 ** 20) / 4);
});

test('a claim that is given back becomes free once', () => {
  const { claim, claims } = someShares();
  const share = claim({ id: 'test', ip: '192.0.2.1' });
  expect(claims('192.0.2.1', 100)).toBe(59);
  if (typeof share === 'function') for (let again = 0; again < 3; again += 1) share();
  expect(claims('192.0.2.1', 100)).toBe(1);
});
