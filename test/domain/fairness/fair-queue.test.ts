/**
 * Tests the queue in which networks and their clients take turns, or networks get equal amounts of work.
 */

import { describe, expect, test } from 'vitest';
import { createFairQueue } from '../../../src/domain/fairness/fair-queue.ts';

const takeAll = (queue: ReturnType<typeof createFairQueue<string>>) => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

test('networks take turns, and clients take turns within a network', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push(['net', 'a'], item);
  for (const item of ['b1', 'b2']) queue.push(['net', 'b'], item);
  queue.push(['other', 'c'], 'c1');
  expect(takeAll(queue)).toEqual(['a1', 'c1', 'b1', 'a2', 'b2', 'a3']);
  expect(queue.size()).toBe(0);
});

test('a backlog of one client delays the first item of another by one turn', () => {
  const queue = createFairQueue<string>();
  for (let i = 0; i < 1000; i++) queue.push(['flood'], `flood ${i}`);
  queue.push(['honest'], 'honest');
  expect([queue.take(), queue.take()]).toContain('honest');
});

test('an item that may not go now lets the next one of its client pass', () => {
  const queue = createFairQueue<string>();
  queue.push(['a'], 'large');
  queue.push(['a'], 'small');
  expect(queue.take((item) => item === 'small')).toBe('small');
  expect(queue.take((item) => item === 'small')).toBeUndefined();
  expect(queue.size()).toBe(1);
});

test('an item that is removed is not taken, and no longer counts', () => {
  const queue = createFairQueue<string>();
  queue.push(['a'], 'one');
  queue.push(['a'], 'two');
  expect(queue.remove('one')).toBe(true);
  expect(queue.remove('one')).toBe(false);
  expect(takeAll(queue)).toEqual(['two']);
});

test('items in a network that may take nothing now are not searched', () => {
  const queue = createFairQueue<string>();
  for (let i = 0; i < 100; i++) queue.push(['full', `client ${i}`], `full ${i}`);
  queue.push(['free', 'client'], 'free');
  const asked: string[] = [];
  const isEligible = (item: string) => asked.push(item) > 0;
  expect(queue.take(isEligible, (network) => network !== 'full')).toBe('free');
  expect(asked).toEqual(['free']);
  expect(queue.take(isEligible, (network) => network !== 'full')).toBeUndefined();
  expect(queue.size()).toBe(100);
});

describe('by the cost of the work', () => {
  const costed = () => createFairQueue<{ of: string; cost: number }>(({ cost }) => cost);
  const names = (queue: ReturnType<typeof costed>) => {
    const taken: string[] = [];
    for (let item = queue.take(); item !== undefined; item = queue.take())
      taken.push(`${item.of} ${item.cost}`);
    return taken;
  };

  test('a newcomer’s small work does not wait for the large work of many', () => {
    const queue = costed();
    for (let n = 0; n < 64; n++) queue.push([`crowd ${n}`], { of: `crowd ${n}`, cost: 10 });
    for (let n = 0; n < 20; n++) queue.take();
    queue.push(['honest'], { of: 'honest', cost: 2 });
    expect(queue.take()?.of).toBe('honest');
  });

  test('networks get equal amounts, not equal numbers', () => {
    const queue = costed();
    for (let n = 0; n < 4; n++) queue.push(['a'], { of: 'a', cost: 10 });
    for (let n = 0; n < 20; n++) queue.push(['b'], { of: 'b', cost: 2 });
    const first = names(queue).slice(0, 12);
    expect(first.filter((one) => one === 'a 10')).toHaveLength(2);
    expect(first.filter((one) => one === 'b 2')).toHaveLength(10);
  });

  test('a client that asks for much does not wait for ever, and cannot save up turns', () => {
    const queue = costed();
    queue.push(['large'], { of: 'large', cost: 10 });
    for (let n = 0; n < 50; n++) queue.push([`small ${n % 2}`], { of: 'small', cost: 1 });
    expect(names(queue).indexOf('large 10')).toBeLessThan(25);
    for (let n = 0; n < 3; n++) queue.push(['idle till now'], { of: 'late', cost: 5 });
    for (let n = 0; n < 3; n++) queue.push(['small 0'], { of: 'small', cost: 5 });
    expect(names(queue)).not.toEqual(['late 5', 'late 5', 'late 5', ...Array(3).fill('small 5')]);
  });
});
