/**
 * Tests that honest buyers are served while a crowd, or an attacker, uses up the limits on payments
 * and on queries to the chain node.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import { aPayment, aSettler, receipt, refusal } from '../support/payments/settler.ts';
import { prng } from '../support/prng/prng.ts';

/** Duration of a settlement in these tests, in milliseconds. */
const SETTLE_MS = 20;

/** Returns a different test id for each number. */
const idOf = (number: number) => `crowd${String(number).padStart(7, 'a')}`.replaceAll('0', 'z');

type World = ReturnType<typeof aSettler>;

/** Creates a settler whose settlements take a moment. */
function aWorld(): World {
  const world = aSettler();
  world.script.settle = async () => {
    await sleep(SETTLE_MS);
    return { kind: 'settled', receipt };
  };
  return world;
}

/**
 * Sends this many new buyers at once, each with the price of a report. Returns how many are served, and what
 * the others are told.
 */
async function crowd({ read }: World, count: number, first = 0) {
  const answers = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => read(aPayment(), idOf(first + index))),
  );
  const refused = answers.flatMap((one) =>
    one.status === 'rejected' && one.reason instanceof ServiceError ? [one.reason] : [],
  );
  return {
    served: answers.filter(({ status }) => status === 'fulfilled').length,
    waits: refused.map(({ options }) => Number(options.headers?.['retry-after'])),
  };
}

test.each([20, 60, 70, 100, 200])(
  '%i new buyers behind one address are all served',
  async (count) => {
    expect(await crowd(aWorld(), count)).toEqual({ served: count, waits: [] });
  },
);

test('after an empty wallet has signed 60 times, its neighbours are served', async () => {
  const world = aWorld();
  world.script.balance = 0n;
  const from = `0x${'9'.repeat(40)}`;
  for (let signed = 0; signed < 60; signed += 1)
    await refusal(world.read(aPayment({ authorization: { from } })));
  world.script.balance = 50_000n;
  expect(await crowd(world, 30)).toEqual({ served: 30, waits: [] });
  expect(await crowd(world, 120, 30)).toEqual({ served: 120, waits: [] });
});

test('a buyer who finds all places taken is told when the next one should be free', async () => {
  const world = aSettler({ line: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  world.script.settle = async () => {
    await promise;
    return { kind: 'settled', receipt };
  };
  const first = crowd(world, 20);
  await vi.waitFor(() => expect(world.count('settle')).toBe(20));
  const { served, waits } = await crowd(world, 40, 20);
  expect(served).toBe(0);
  for (const seconds of waits) expect(seconds).toBeLessThanOrEqual(4);
  // Another network does not have to wait.
  world.script.ip = '198.51.100.1';
  const other = crowd(world, 1, 60);
  resolve();
  expect([await first, await other]).toEqual([
    { served: 20, waits: [] },
    { served: 1, waits: [] },
  ]);
});

test('a thousand new buyers from a thousand networks are served, or told to return within seconds', async () => {
  const world = aWorld();
  const buy = (index: number) => {
    world.script.ip = `${10 + (index >> 5)}.${(index & 31) * 8}.0.1`;
    return world.read(aPayment(), idOf(index));
  };
  const answers = await Promise.allSettled(Array.from({ length: 1_000 }, (_, index) => buy(index)));
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
});

describe('checks that cost questions to the node and come to nothing', () => {
  const ask = async ({ read }: World, count: number) => {
    const codes: string[] = [];
    for (let index = 0; index < count; index += 1)
      codes.push((await refusal(read(aPayment(), idOf(index)))).code);
    return codes;
  };

  test('are limited to 30 a minute per client, for signatures that only the node can judge', async () => {
    const world = aWorld();
    world.script.isSignedByKey = false;
    world.script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
    const codes = await ask(world, 200);
    expect(world.count('signature')).toBe(30);
    expect(codes.filter((code) => code === 'payment_invalid')).toHaveLength(30);
    expect(new Set(codes.slice(30))).toEqual(new Set(['rate_limited']));
    // A neighbour whose key has signed, and a wallet from another network, are served.
    world.script.signature = async (payment) => ({ ok: true, payment });
    world.script.isSignedByKey = true;
    expect(await crowd(world, 30)).toEqual({ served: 30, waits: [] });
    world.script.isSignedByKey = false;
    world.script.ip = '198.51.100.1';
    expect(await crowd(world, 90, 30)).toEqual({ served: 90, waits: [] });
  });

  test('count even if the node does not answer what a contract signed', async () => {
    const world = aWorld();
    world.script.isSignedByKey = false;
    world.script.signature = () => Promise.reject(new Error('no answer'));
    await ask(world, 100);
    expect(world.count('signature')).toBe(30);
  });

  test('are limited to 120 a minute per client for empty wallets, of which 60 are claimed per hour', async () => {
    const world = aWorld();
    world.script.balance = 0n;
    await ask(world, 300);
    // Each payment is looked at before and after its balance.
    expect([world.count('ended'), world.claims.all().size]).toEqual([2 * 120, 60]);
  });

  test('are made at most twice per block for one open settlement', async () => {
    const world = aSettler();
    world.script.settle = async () => ({ kind: 'unknown', reason: 'not_mined' });
    await refusal(world.read(aPayment()));
    const before = world.count('chain');
    for (let again = 0; again < 100; again += 1)
      expect(await refusal(world.read())).toMatchObject({ code: 'settlement_pending' });
    expect(world.count('chain') - before).toBeLessThanOrEqual(4);
  });
});

/**
 * Clients of an attacker, three of them behind one /26, and honest clients, one of whom is a neighbour of the
 * attacker.
 */
const CLIENTS = {
  hostile: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '203.0.113.5'],
  honest: ['198.51.100.1', '192.0.2.1'],
};

/** Marks the settlement of a hostile wallet, whose money is elsewhere when it should move. */
const HOSTILE = '1';

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'wallets that pass one price around start 20 per hour per client and delay nobody elsewhere, seed %i',
  async (seed) => {
    const random = prng(seed);
    const world = aSettler();
    let hostileStarts = 0;
    world.script.settle = async ({ payment }) => {
      await sleep(1);
      if (payment.authorization.validAfter !== HOSTILE) return { kind: 'settled', receipt };
      hostileStarts += 1;
      return { kind: 'unknown', reason: 'simulation_failed' };
    };
    world.script.chain = async () => ({ state: 'dead' });
    const attempt = async (index: number) => {
      const isHonest = random.chance(0.2);
      const ip = random.pick(CLIENTS[isHonest ? 'honest' : 'hostile']);
      await sleep(random.below(300));
      world.script.ip = ip;
      const validAfter = isHonest ? '0' : HOSTILE;
      const read = world.read(aPayment({ authorization: { validAfter } }), idOf(index));
      if (ip === '198.51.100.1') expect(await read).toMatchObject({ receipt });
      else await read.catch(() => undefined);
    };
    await Promise.all(Array.from({ length: 400 }, (_, index) => attempt(index)));
    expect(hostileStarts).toBeLessThanOrEqual(4 * 20);
    const paid = world.types().filter((type) => type === 'PaymentSettled').length;
    expect(world.types().length).toBeLessThanOrEqual(2 * paid + 2 * 4 * 20);
  },
);

test('a check whether claimed money has arrived is delayed by no neighbour, and costs one question', async () => {
  const world = aWorld();
  world.script.balance = 0n;
  const claimed = aPayment();
  expect(await refusal(world.read(claimed, idOf(0)))).toMatchObject({ code: 'payment_invalid' });
  for (let index = 1; index < 200; index += 1) await refusal(world.read(aPayment(), idOf(index)));
  expect(await refusal(world.read(aPayment(), idOf(200)))).toMatchObject({ code: 'rate_limited' });
  const before = world.asked.length;
  for (let again = 0; again < 100; again += 1) await refusal(world.read(claimed, idOf(0)));
  expect(world.asked.length - before).toBe(30);
  world.script.ip = '198.51.100.1';
  const late = aPayment();
  expect(await refusal(world.read(late, idOf(201)))).toMatchObject({ code: 'payment_invalid' });
  world.script.ended = async (isClaimed) => (isClaimed ? 'settled' : undefined);
  world.script.chain = async () => ({ state: 'settled', receipt, block: 7 });
  world.script.ip = '192.0.2.1';
  expect(await world.read(late, idOf(201))).toMatchObject({ receipt });
});

test('money that moves during the check is claimed, however many claims its network has used up', async () => {
  const world = aWorld();
  world.script.balance = 0n;
  for (let index = 0; index < 61; index += 1) await refusal(world.read(aPayment(), idOf(index)));
  expect(world.claims.all().size).toBe(60);
  world.script.ended = async (isClaimed) => (isClaimed ? 'settled' : undefined);
  world.script.chain = async () => ({ state: 'settled', receipt, block: 7 });
  expect(await world.read(aPayment(), idOf(61))).toMatchObject({ receipt });
});
