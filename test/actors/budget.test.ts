/**
 * Tests how many settlements one payer may have in progress, and how long the payer waits after a
 * failure.
 */

import { expect, test } from 'vitest';
import { openBudget, type Turn } from '../../src/actors/settler/budget.ts';

const BUSY = { blockedMs: undefined };

/** Creates a budget whose clock is moved by hand. */
function aBudget() {
  let now = 0;
  let outcomes = 0;
  const { enter, isProven, note } = openBudget(() => now);
  const turn = async (...entering: Parameters<typeof enter>) => (await enter(...entering)) as Turn;
  const end = (result: 'paid' | 'failed') => note('0xa', `0x${++outcomes}`, result);
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { enter, isProven, note, turn, end, advance };
}

test('a payer has one open settlement until it has paid for one', async () => {
  const { enter, turn } = aBudget();
  const first = await turn('0xa', 0);
  expect(await enter('0xa', 0)).toEqual(BUSY);
  expect(await enter('0xb', 0)).toHaveProperty('leave');
  first.leave();
  expect(await enter('0xa', 0)).toHaveProperty('leave');
});

test('payers who wait in line continue in order when a place becomes free', async () => {
  const { turn } = aBudget();
  const order: number[] = [];
  const first = await turn('0xa', 0);
  const waiting = [1, 2, 3].map(async (place) => {
    const mine = await turn('0xa', 60_000);
    order.push(place);
    mine.leave();
  });
  first.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test('each payment that settles adds one place, up to 64; a failure removes them', async () => {
  const { enter, end, isProven } = aBudget();
  expect(isProven('0xa')).toBe(false);
  for (let paid = 0; paid < 100; paid += 1) end('paid');
  expect(isProven('0xa')).toBe(true);
  const places = await Promise.all(Array.from({ length: 65 }, () => enter('0xa', 0)));
  expect(places.filter((place) => 'blockedMs' in place)).toEqual([BUSY]);
  end('failed');
  expect(isProven('0xa')).toBe(false);
  expect(await enter('0xa', 0)).toEqual({ blockedMs: 30_000 });
});

test('settlements that are open at other replicas count', async () => {
  const { enter } = aBudget();
  expect(await enter('0xa', 0, () => 1)).toEqual(BUSY);
});

test('after a failure, a payer waits 30 s, twice as long after each further one, up to an hour', async () => {
  const { enter, end, turn, advance } = aBudget();
  for (const wait of [30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000]) {
    end('failed');
    advance(wait - 1);
    expect(await enter('0xa', 0)).toEqual({ blockedMs: 1 });
    advance(1);
    (await turn('0xa', 0)).leave();
  }
});

test('a payer that waits does not make others wait', async () => {
  const { enter, end } = aBudget();
  for (let failures = 0; failures < 100; failures += 1) end('failed');
  for (const payer of ['0xb', '0xc']) expect(await enter(payer, 0)).toHaveProperty('leave');
});

test('one transaction counts once', async () => {
  const { enter, note, advance } = aBudget();
  expect([1, 2, 3].map(() => note('0xa', '0x1', 'failed'))).toEqual([true, false, false]);
  advance(30_000);
  expect(await enter('0xa', 0)).toHaveProperty('leave');
});

test('a failure is forgotten after an hour, and trust has to be earned again', async () => {
  const { enter, isProven, end, advance } = aBudget();
  for (const result of ['paid', 'failed', 'failed'] as const) end(result);
  advance(3_600_001);
  expect(isProven('0xa')).toBe(false);
  expect(await enter('0xa', 0)).toHaveProperty('leave');
  expect(await enter('0xa', 0)).toEqual(BUSY);
  end('failed');
  expect(await enter('0xa', 0)).toEqual({ blockedMs: 30_000 });
  advance(3_600_001);
  end('paid');
  expect(isProven('0xa')).toBe(true);
});
