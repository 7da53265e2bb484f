import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { paced } from '../../../src/adapters/smtp/paced.ts';

const PACE = { minBytesPerSecond: 10, windowMs: 1000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a chunk is overwritten when the next one is asked for', async () => {
  const content = new PassThrough();
  const chunk = Buffer.from('secret');
  const chunks = paced(content, PACE, () => {});
  content.write(chunk);
  expect((await chunks.next()).value?.toString()).toBe('secret');
  content.end();
  expect(await chunks.next()).toEqual({ done: true, value: undefined });
  expect(chunk.toString()).toBe('\0'.repeat(6));
});

test('every window counts by itself', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  const chunks = paced(content, PACE, cut);
  content.write(Buffer.alloc(10));
  await chunks.next();
  vi.advanceTimersByTime(1000);
  expect(cut).not.toHaveBeenCalled();
  content.write(Buffer.alloc(9));
  await chunks.next();
  vi.advanceTimersByTime(1000);
  expect(cut).toHaveBeenCalledOnce();
  await chunks.return();
});

test('a mail read to its end is not cut, and its watch is over', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.end('a mail');
  for await (const _ of paced(content, PACE, cut)) vi.advanceTimersByTime(10);
  vi.advanceTimersByTime(10_000);
  expect(cut).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('who stops reading has the connection cut', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.write('a');
  for await (const _ of paced(content, PACE, cut)) break;
  expect(cut).toHaveBeenCalledOnce();
});
