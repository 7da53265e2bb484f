/** Tests which network gives way when a shared resource is full. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networksOf } from '../../../src/domain/fairness/networks.ts';
import {
  countRecentBytes,
  createShares,
  type Holder,
} from '../../../src/domain/fairness/shares.ts';

interface Client extends Holder {
  readonly name: string;
}

function scarce(capacity: number) {
  const shares = createShares(capacity);
  const gone: string[] = [];
  const client = (ip: string, progress: number | null = 0, name = ip): Client => ({
    name,
    path: networksOf(ip),
    progress: () => progress,
    giveWay: () => void gone.push(name),
  });
  return { ...shares, gone, client };
}

describe('places that can be taken back', () => {
  test('go first from the least progressed one of the largest network when it is full', () => {
    const { claim, client, gone } = scarce(4);
    for (const [ip, progress] of [
      ['10.0.0.1', 9],
      ['10.0.0.1', 2],
      ['10.0.0.1', 5],
      ['172.16.0.1', 0],
    ] as const)
      claim(client(ip, progress, `${ip} ${progress}`));
    expect(claim(client('192.0.2.1'))).toBe(true);
    expect(gone).toEqual(['10.0.0.1 2']);
  });

  test('are taken from the largest network at every width: the provider, then the customer', () => {
    const { claim, client, gone } = scarce(5);
    for (const ip of ['192.0.0.1', '192.0.0.70', '192.0.0.71', '192.0.0.72', '172.16.0.1'])
      claim(client(ip, 1));
    // The client has one of the five in the /21, but its neighbours in the /26 have three.
    expect(claim(client('192.0.0.2', 9))).toBe(true);
    expect(gone).toEqual(['192.0.0.70']);
  });

  test('are taken from the least progressed of networks that hold the same', () => {
    const { claim, client, gone } = scarce(3);
    for (const [ip, progress] of [
      ['10.0.0.1', 3],
      ['10.1.0.1', 1],
      ['10.2.0.1', 2],
    ] as const)
      claim(client(ip, progress));
    expect(claim(client('10.3.0.1', 4))).toBe(true);
    expect(gone).toEqual(['10.1.0.1']);
  });

  test('are not taken from one that came far: the newcomer has to give way', () => {
    const { claim, client, gone, held } = scarce(2);
    claim(client('10.0.0.1', null));
    claim(client('10.0.0.1', null));
    expect(claim(client('192.0.2.1'))).toBe(false);
    expect([gone, held()]).toEqual([[], 2]);
  });

  test('are kept by a growing one that would have to give way', () => {
    const { claim, release, client, held } = scarce(10);
    const one = client('10.0.0.1', 1);
    claim(one, 6);
    claim(client('10.1.0.1', 2), 4);
    expect(claim(one, 1)).toBe(false);
    expect(held()).toBe(10);
    release(one);
    release(one);
    expect(held()).toBe(4);
  });

  test.each([1, 12, 64])(
    'beside %i networks that take all they can, serve others, too',
    (networks) => {
      const { claim, release, client, gone } = scarce(500);
      const sending: Holder[] = [];
      for (let n = 0; n < 3000; n++) {
        claim(client(`10.${n % networks}.${n % 7}.${n % 200}`, 1000 + (n % 10), 'flood'));
        if (n % 10 > 0) continue;
        const honest = client(`172.${n % 250}.0.1`, 1, 'honest');
        expect(claim(honest)).toBe(true);
        sending.push(honest);
        for (const done of sending.splice(0, sending.length - 5)) release(done);
      }
      const shut = gone.filter((name) => name === 'honest').length;
      expect(shut).toBe(0);
    },
  );

  test('are never more than exist, and all are given back', () => {
    const step = fc.record({
      who: fc.nat(9),
      amount: fc.integer({ min: 1, max: 5 }),
      back: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { claim, release, client, held } = scarce(12);
        const all = Array.from({ length: 10 }, (_, n) =>
          client(`10.${n % 3}.${n % 2}.${n}`, n % 4 ? n : null),
        );
        for (const { who, amount, back } of steps) {
          const one = all[who];
          if (one && back) release(one);
          else if (one) claim(one, amount);
          expect(held()).toBeLessThanOrEqual(12);
        }
        for (const one of all) release(one);
        expect(held()).toBe(0);
      }),
    );
  });
});

describe('places that cannot be taken back', () => {
  const fill = (take: (path: readonly string[]) => boolean, ip: string) => {
    let count = 0;
    while (take(networksOf(ip))) count += 1;
    return count;
  };

  test.each([1, 16, 64])(
    '%i networks that take all they can leave places to others',
    (networks) => {
      const { take } = scarce(256);
      for (let n = 0; n < networks; n++) fill(take, `10.${n}.0.1`);
      for (let n = 0; n < 60; n++) expect(take(networksOf(`172.${n}.0.1`))).toBe(true);
    },
  );

  test('are free when they are given back', () => {
    const { take, count } = scarce(4);
    expect(fill(take, '10.0.0.1')).toBe(2);
    count(networksOf('10.0.0.1'), -1);
    expect(fill(take, '10.0.0.1')).toBe(1);
  });
});

describe('progress', () => {
  test('are ranked by what was sent lately: a burst that stalls falls behind a steady sender', () => {
    const burst = countRecentBytes(0);
    burst.add(10_000_000, 0);
    const steady = countRecentBytes(0);
    steady.add(100_000, 1000);
    expect(burst.rank()).toBeGreaterThan(steady.rank());
    for (let second = 2; second < 40; second++) steady.add(100_000, second * 1000);
    expect(burst.rank()).toBeLessThan(steady.rank());
  });

  test('put a newcomer ahead of a trickling sender for a while', () => {
    const trickle = countRecentBytes(0);
    for (let second = 0; second < 60; second++) trickle.add(20_000, second * 1000);
    const newcomer = countRecentBytes(60_000);
    expect(newcomer.rank()).toBeGreaterThan(trickle.rank());
    for (let second = 60; second < 100; second++) trickle.add(20_000, second * 1000);
    expect(newcomer.rank()).toBeLessThan(trickle.rank());
  });

  test('put a newcomer ahead of anyone silent, however little later it comes', () => {
    const silent = countRecentBytes(1_000_000);
    const newcomer = countRecentBytes(1_000_000.01);
    expect(newcomer.rank()).toBeGreaterThan(silent.rank());
  });
});
