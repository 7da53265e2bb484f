import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { requireRate } from '../../../src/adapters/smtp/minimum-rate.ts';
import { createPressure } from '../../../src/adapters/smtp/pressure.ts';

const RATE = { minBytesPerSecond: 10, windowMs: 1000, transactionMs: 60_000 };

const calm = createPressure(() => 0, 10);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a chunk is overwritten when the next one is asked for', async () => {
  const content = new PassThrough();
  const chunk = Buffer.from('secret');
  const chunks = requireRate(content, RATE, calm, () => {});
  content.write(chunk);
  expect((await chunks.next()).value?.toString()).toBe('secret');
  content.end();
  expect(await chunks.next()).toEqual({ done: true, value: undefined });
  expect(chunk.toString()).toBe('\0'.repeat(6));
});

test('every window counts by itself', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, RATE, calm, cut);
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
  for await (const _ of requireRate(content, RATE, calm, cut)) vi.advanceTimersByTime(10);
  vi.advanceTimersByTime(10_000);
  expect(cut).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a reader that stops early cuts the connection', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.write('a');
  for await (const _ of requireRate(content, RATE, calm, cut)) break;
  expect(cut).toHaveBeenCalledOnce();
});

test('a transfer that never ends is cut, whatever its rate', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, { ...RATE, minBytesPerSecond: 0 }, calm, cut);
  content.write('a');
  await chunks.next();
  vi.advanceTimersByTime(60_000);
  expect(cut).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(cut).toHaveBeenCalled();
  await chunks.return();
});

test('a full server asks for sixteen times the rate, and gives a fifth of the time', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  const full = createPressure(() => 10, 10);
  const rate = { ...RATE, windowMs: 60_000 };
  const chunks = requireRate(content, rate, full, cut);
  content.write(Buffer.alloc(1920));
  await chunks.next();
  vi.advanceTimersByTime(12_000);
  expect(cut).not.toHaveBeenCalled();
  content.write(Buffer.alloc(1919));
  await chunks.next();
  vi.advanceTimersByTime(12_000);
  expect(cut).toHaveBeenCalledOnce();
  await chunks.return();
});

test.each([
  [0, 600_000, 1],
  [5, 600_000, 1],
  [9, 120_000, 13],
  [10, 10_000, 16],
  [20, 10_000, 16],
])(
  'with %i of 10 connections a limit of 600 s is %i ms, and the rate is times %i',
  (open, ms, times) => {
    const pressure = createPressure(() => open, 10);
    expect(Math.round(pressure.shorten(600_000))).toBe(ms);
    expect(pressure.raise(1)).toBeCloseTo(times);
  },
);
