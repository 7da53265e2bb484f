import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { requireRate } from '../../../src/adapters/smtp/minimum-rate.ts';

const RATE = { minBytesPerSecond: 10, windowMs: 1000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a chunk is overwritten when the next one is asked for', async () => {
  const content = new PassThrough();
  const chunk = Buffer.from('secret');
  const chunks = requireRate(content, RATE, () => {});
  content.write(chunk);
  expect((await chunks.next()).value?.toString()).toBe('secret');
  content.end();
  expect(await chunks.next()).toEqual({ done: true, value: undefined });
  expect(chunk.toString()).toBe('\0'.repeat(6));
});

test('every window counts by itself', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, RATE, cut);
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
  for await (const _ of requireRate(content, RATE, cut)) vi.advanceTimersByTime(10);
  vi.advanceTimersByTime(10_000);
  expect(cut).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a reader that stops early cuts the connection', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.write('a');
  for await (const _ of requireRate(content, RATE, cut)) break;
  expect(cut).toHaveBeenCalledOnce();
});
