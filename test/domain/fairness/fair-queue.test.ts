import { expect, test } from 'vitest';
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

test('a backlog of one delays the first of another by one turn', () => {
  const queue = createFairQueue<string>();
  for (let i = 0; i < 1000; i++) queue.push(['flood'], `flood ${i}`);
  queue.push(['honest'], 'honest');
  expect([queue.take(), queue.take()]).toContain('honest');
});

test('an item that may not go now lets the next of its client pass', () => {
  const queue = createFairQueue<string>();
  queue.push(['a'], 'large');
  queue.push(['a'], 'small');
  expect(queue.take((item) => item === 'small')).toBe('small');
  expect(queue.take((item) => item === 'small')).toBeUndefined();
  expect(queue.size()).toBe(1);
});

test('what is removed is not taken, and counts no more', () => {
  const queue = createFairQueue<string>();
  queue.push(['a'], 'one');
  queue.push(['a'], 'two');
  expect(queue.remove('one')).toBe(true);
  expect(queue.remove('one')).toBe(false);
  expect(takeAll(queue)).toEqual(['two']);
});

test('what waits in a network that may take nothing now is not gone through', () => {
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
