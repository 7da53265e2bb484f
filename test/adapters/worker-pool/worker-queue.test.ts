import { expect, test } from 'vitest';
import { createWorkerQueue } from '../../../src/adapters/worker-pool/worker-queue.ts';

const LARGE = 1024 * 1024;

function queueOf(workers: number) {
  const queue = createWorkerQueue(workers);
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const add = (client: string, name: string, bytes = 1000) =>
    queue.enqueue([client], bytes, () => {
      started.push(name);
      return new Promise<void>((resolve) => finish.set(name, resolve));
    });
  const end = async (name: string) => {
    finish.get(name)?.();
    await new Promise(setImmediate);
  };
  return { add, end, started };
}

test('small mails go first, and clients take turns', async () => {
  const { add, end, started } = queueOf(1);
  add('flood', 'first');
  for (const name of ['f1', 'f2', 'f3']) add('flood', name);
  add('flood', 'large', LARGE);
  add('honest', 'h1');
  for (const name of ['first', 'f1', 'h1', 'f2', 'f3']) await end(name);
  expect(started).toEqual(['first', 'f1', 'h1', 'f2', 'f3', 'large']);
});

test('large mails leave a worker to small ones', async () => {
  const { add, started } = queueOf(2);
  add('flood', 'l1', LARGE);
  add('flood', 'l2', LARGE);
  expect(started).toEqual(['l1']);
  add('honest', 'small');
  expect(started).toEqual(['l1', 'small']);
});

test('a large mail is passed by eight small ones at most', async () => {
  const { add, end, started } = queueOf(1);
  add('busy', 's0');
  add('other', 'large', LARGE);
  for (let i = 1; i < 20; i++) add('busy', `s${i}`);
  for (let i = 0; i < 8; i++) await end(`s${i}`);
  expect(started.indexOf('large')).toBe(8);
});

test('a mail taken out of the queue is not read, and one that has started is not taken out', async () => {
  const { add, end, started } = queueOf(1);
  const first = add('a', 'first');
  const second = add('a', 'second');
  expect([first(), second()]).toEqual([false, true]);
  await end('first');
  expect(started).toEqual(['first']);
});

test('a worker whose work fails is free again', async () => {
  const queue = createWorkerQueue(1);
  const started: string[] = [];
  queue.enqueue(['a'], 1, () => Promise.reject(new Error('lost')));
  queue.enqueue(['a'], 1, async () => void started.push('next'));
  await new Promise(setImmediate);
  expect(started).toEqual(['next']);
});
