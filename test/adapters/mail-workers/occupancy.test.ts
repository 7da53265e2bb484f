/**
 * Tests how networks share a worker's places for emails, and when an email that waits for other servers gives
 * up its place.
 */

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createOccupancy } from '../../../src/adapters/mail-workers/occupancy.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const enterMany = (count: number, network: (n: number) => string) => {
  const worker = createOccupancy('small');
  const leaves: (() => void)[] = [];
  const onLinger = vi.fn();
  for (let n = 0; n < count; n++)
    if (worker.admits(network(n))) leaves.push(worker.enter(network(n), onLinger));
  return { worker, leaves, onLinger };
};

test('one network may have twelve of sixteen places, the others are for networks that have none', () => {
  const { worker, leaves } = enterMany(20, () => 'flood');
  expect(worker.size()).toBe(12);
  for (const network of ['a', 'a', 'b', 'c', 'd', 'e'])
    if (worker.admits(network)) worker.enter(network, () => {});
  expect(worker.size()).toBe(16);
  expect(worker.isFull()).toBe(true);
  for (const leave of leaves) leave();
  expect(worker.size()).toBe(4);
});

test('an email that lingers no longer counts, and makes room for the next', () => {
  const { worker, leaves, onLinger } = enterMany(12, () => 'flood');
  vi.advanceTimersByTime(200);
  expect(worker.size()).toBe(0);
  expect(onLinger).toHaveBeenCalledTimes(12);
  for (const leave of leaves) leave();
  expect(worker.size()).toBe(0);
});

test('at most a hundred emails of one network linger, and the rest count until they leave', () => {
  const { worker } = enterMany(12, () => 'flood');
  for (let round = 0; round < 9; round++) {
    vi.advanceTimersByTime(200);
    for (let n = 0; n < 12; n++) if (worker.admits('flood')) worker.enter('flood', () => {});
  }
  vi.advanceTimersByTime(200);
  expect(worker.size()).toBe(12);
  expect(worker.admits('flood')).toBe(false);
  expect(worker.admits('honest')).toBe(true);
});

test('an email that is read alone never makes room', () => {
  const worker = createOccupancy('quarantine');
  worker.enter('a', () => {});
  vi.advanceTimersByTime(60_000);
  expect(worker.isFull()).toBe(true);
});
