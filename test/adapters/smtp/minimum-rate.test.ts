/** Tests that SMTP uploads below a minimum rate are cut off. */

import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { requireRate } from '../../../src/adapters/smtp/minimum-rate.ts';

const RATE = { minBytesPerSecond: 10, windowMs: 1000, transactionMs: 60_000 };

/** Lets time pass. Everything that has arrived is read before a window is judged. */
const pass = async (milliseconds: number) => {
  vi.advanceTimersByTime(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
};

const reader = (onSlow: () => void, cut = () => {}) => ({
  onChunk: () => {},
  onWhole: () => {},
  onSlow,
  cut,
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a chunk is overwritten when the next one is requested', async () => {
  const content = new PassThrough();
  const chunk = Buffer.from('secret');
  const chunks = requireRate(
    content,
    RATE,
    reader(() => {}),
  );
  content.write(chunk);
  expect((await chunks.next()).value?.toString()).toBe('secret');
  content.end();
  expect(await chunks.next()).toEqual({ done: true, value: undefined });
  expect(chunk.toString()).toBe('\0'.repeat(6));
});

test('every window counts on its own', async () => {
  const onSlow = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, RATE, reader(onSlow));
  content.write(Buffer.alloc(10));
  await chunks.next();
  await pass(1000);
  expect(onSlow).not.toHaveBeenCalled();
  content.write(Buffer.alloc(9));
  await chunks.next();
  await pass(1000);
  expect(onSlow).toHaveBeenCalledOnce();
  await chunks.return();
});

test('bytes that arrived while this process stood still are in time', async () => {
  const onSlow = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, RATE, reader(onSlow));
  const read = chunks.next();
  vi.advanceTimersByTime(1000);
  content.write(Buffer.alloc(10));
  await read;
  await pass(0);
  expect(onSlow).not.toHaveBeenCalled();
  await chunks.return();
});

test('an email that is read to its end is not cut off, and is no longer watched', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.end('a mail');
  for await (const _ of requireRate(content, RATE, reader(cut, cut))) vi.advanceTimersByTime(10);
  vi.advanceTimersByTime(10_000);
  expect(cut).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('a reader that stops early cuts the connection', async () => {
  const cut = vi.fn();
  const content = new PassThrough();
  content.write('a');
  for await (const _ of requireRate(
    content,
    RATE,
    reader(() => {}, cut),
  ))
    break;
  expect(cut).toHaveBeenCalledOnce();
});

test('a transfer that never ends is too slow, whatever its rate', async () => {
  const onSlow = vi.fn();
  const content = new PassThrough();
  const chunks = requireRate(content, { ...RATE, minBytesPerSecond: 0 }, reader(onSlow));
  content.write('a');
  await chunks.next();
  for (let window = 0; window < 60; window++) await pass(1000);
  expect(onSlow).not.toHaveBeenCalled();
  await pass(1000);
  expect(onSlow).toHaveBeenCalled();
  await chunks.return();
});

test('its reader is told of each chunk, and of the end before the verdict', async () => {
  const heard: unknown[] = [];
  const content = new PassThrough();
  content.end('a mail');
  const told = {
    onChunk: (bytes: number) => heard.push(bytes),
    onWhole: () => heard.push('whole'),
    onSlow: () => heard.push('slow'),
    cut: () => heard.push('cut'),
  };
  for await (const _ of requireRate(content, RATE, told));
  expect(heard).toEqual([6, 'whole']);
});
