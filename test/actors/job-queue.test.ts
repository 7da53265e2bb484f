/**
 * Tests the queue that runs one job per key, the urgent ones first, repeats those that fail, and
 * can be stopped.
 */

import { expect, onTestFinished, test, vi } from 'vitest';
import { createJobQueue } from '../../src/actors/job-queue.ts';

const soon = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function aQueue({ lanes = 1, againMs = 1 } = {}) {
  const done: string[] = [];
  const faults: string[] = [];
  const onFault = (key: string) => void faults.push(key);
  const queue = createJobQueue({ lanes: () => lanes, againMs: () => againMs, onFault });
  const add = (key: string, isUrgent = false) =>
    queue.add(key, () => soon().then(() => done.push(key)), isUrgent);
  return { queue, add, done, faults };
}

test('urgent jobs go first, and a key that waits is not added again', async () => {
  const { queue, add, done } = aQueue();
  for (const key of ['a', 'b', 'c', 'b']) add(key);
  add('c', true);
  await queue.idle();
  expect(done).toEqual(['a', 'c', 'b']);
});

test('a key that is added while its job runs is run once more afterwards', async () => {
  const { queue, add, done } = aQueue({ lanes: 4 });
  add('a');
  add('a');
  expect(queue.size()).toBe(2);
  await queue.idle();
  expect(done).toEqual(['a', 'a']);
});

test('a job that fails counts until it succeeds', async () => {
  const { queue, faults } = aQueue();
  const succeeded = Promise.withResolvers<void>();
  const sizes: number[] = [];
  queue.add('a', async () => {
    await soon();
    sizes.push(queue.size());
    if (sizes.length < 3) throw new Error('not yet');
    succeeded.resolve();
  });
  await succeeded.promise;
  await queue.idle();
  expect([faults, sizes, queue.size()]).toEqual([['a', 'a'], [1, 1, 1], 0]);
});

test('a queue that is stopped waits for running jobs, and starts no more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { queue, add, done, faults } = aQueue({ againMs: 20 });
  queue.add('fails', () => Promise.reject(new Error('no')));
  await vi.advanceTimersByTimeAsync(0);
  add('runs');
  add('waits');
  const stopped = queue.stop();
  await vi.advanceTimersByTimeAsync(100);
  await stopped;
  expect([done, faults]).toEqual([['runs'], ['fails']]);
});
