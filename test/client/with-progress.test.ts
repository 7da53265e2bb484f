/** Tests the lines that tell a user that long work is still going on. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withProgress } from '../../src/client/with-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work that takes minutes reports every 30 s that it continues, and nothing after its end', async () => {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  const work = () => new Promise((resolve) => setTimeout(resolve, 100_000, 'done'));
  const done = withProgress(note, (seconds) => `${seconds} s`, work);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(await done).toBe('done');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(said).toEqual(['30 s', '60 s', '90 s']);
});

test('quick work reports nothing, even if it fails', async () => {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  await expect(withProgress(note, String, () => Promise.reject(new Error('no')))).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([]);
});
