import { expect, test } from 'vitest';
import type { Purchase } from '../../src/actors/settler/purchase.ts';
import { openUnpaidShares } from '../../src/actors/settler/unpaid-shares.ts';

const HOUR_MS = 3_600_000;

function someShares() {
  let now = 0;
  const shares = openUnpaidShares(() => now);
  const taken =
    (what: 'claim' | 'start') =>
    (ip: string, count: number, id = 'test') =>
      Array.from({ length: count }, () => shares[what]({ id, ip } as Purchase)).filter(
        (waitMs) => waitMs === 0,
      ).length;
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  /** How many of so many are claimed, or started. */
  return { claim: taken('claim'), start: taken('start'), advance, paid: shares.paid };
}

test('a client starts 20 payments an hour that come to nothing, a /26 80', () => {
  const { start, advance } = someShares();
  expect(start('192.0.2.1', 100)).toBe(20);
  for (const client of [2, 3, 4]) expect(start(`192.0.2.${client}`, 100)).toBeGreaterThan(0);
  expect(start('192.0.2.9', 100)).toBeLessThan(20);
  expect(start('192.0.2.200', 100)).toBe(20);
  advance(HOUR_MS);
  expect(start('192.0.2.1', 100)).toBe(20);
});

test('what is paid is given back, as much as its purchase took', () => {
  const { start, paid } = someShares();
  start('192.0.2.1', 20, 'bought');
  expect(start('192.0.2.1', 1)).toBe(0);
  paid('bought');
  paid('bought');
  expect(start('192.0.2.1', 100)).toBe(20);
});

test('all networks together start 600 an hour, and 64 that try keep no other from it', () => {
  const { start } = someShares();
  const attackers = Array.from({ length: 64 }, (_, index) => `10.${index}.0.1`);
  let started = 0;
  for (const ip of attackers) started += start(ip, 100);
  for (let index = 0; index < 64; index += 1) expect(start(`172.${index}.0.1`, 1)).toBe(1);
  for (let index = 64; index < 255; index += 1) started += start(`10.${index}.0.1`, 100);
  expect(started + 64).toBeLessThanOrEqual(600);
});

test('claims that are not paid for leave room in their bucket, from however many networks', () => {
  const { claim } = someShares();
  let claimed = 0;
  for (let index = 0; index < 3_000; index += 1)
    claimed += claim(`2001:db8:${index.toString(16)}::1`, 2);
  expect(claim('192.0.2.1', 1)).toBe(1);
  // A claim has 475 bytes, and the bucket keeps them for 48 hours.
  expect(claimed * 475 * 48).toBeLessThan((256 * 2 ** 20) / 4);
});
