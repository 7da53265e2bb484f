import { beforeEach, expect, test } from 'vitest';
import type { Change } from '../../src/actors/follower/follower.ts';
import { orderReplicas } from '../../src/actors/replica-order.ts';
import { anEvent } from '../support/log/events.ts';

let now = 0;
beforeEach(() => {
  now = 0;
});

const ids = Array.from({ length: 1000 }, (_, n) => `test${n}`);

/** Replicas that have all seen an event of each. */
function replicas(names: readonly string[]) {
  const listeners: ((change: Change) => void)[] = [];
  const follower = {
    caughtUp: () => true,
    listen: (listener: (change: Change) => void) => void listeners.push(listener),
  };
  const orders = names.map((replica) => orderReplicas({ follower, replica, monotonic: () => now }));
  function write(by: string): void {
    const event = { ...anEvent('TestCreated'), by };
    const recorded = { id: 'test', seq: 1, time: 0, event };
    for (const listener of listeners) listener({ recorded, before: undefined, row: undefined });
  }
  for (const name of names) write(name);
  return { orders, write };
}

test('of replicas that know each other one is first for each test, and each for its share', () => {
  const { orders } = replicas(['a', 'b', 'c', 'd', 'e']);
  const places = ids.map((id) => orders.map(({ placeOf }) => placeOf(id)));
  for (const one of places) expect(one.toSorted()).toEqual([0, 1, 2, 3, 4]);
  for (const index of orders.keys()) {
    const share = places.filter((one) => one[index] === 0).length;
    expect(share).toBeGreaterThan(140);
    expect(share).toBeLessThan(260);
  }
});

test('a replica that is alone, or has heard of no other for a minute in which it wrote, is first for all', () => {
  const [alone] = replicas(['a']).orders;
  expect(ids.filter((id) => alone?.placeOf(id) !== 0)).toEqual([]);
  const { orders, write } = replicas(['a', 'b', 'c']);
  now = 61_000;
  write('b');
  expect(Math.max(...ids.map((id) => orders[0]?.placeOf(id) ?? 9))).toBe(1);
  // Nobody has written since: after a silence a burst is shared as before.
  now = 3_600_000;
  expect(Math.max(...ids.map((id) => orders[0]?.placeOf(id) ?? 9))).toBe(1);
  write('a');
  expect(ids.filter((id) => orders[0]?.placeOf(id) !== 0)).toEqual([]);
});

test('without one replica the next in line is first; the operator is no replica', () => {
  const { orders, write } = replicas(['a', 'b']);
  write('operator');
  expect(ids.filter((id) => orders[0]?.placeOf(id, 'b') !== 0)).toEqual([]);
});
