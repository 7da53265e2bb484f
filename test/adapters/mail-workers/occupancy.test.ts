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

test('one network may have 18 of 24 places, the others are for networks that have none', () => {
  const { worker, leaves } = enterMany(30, () => 'flood');
  expect(worker.size()).toBe(18);
  for (const network of ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'])
    if (worker.admits(network)) worker.enter(network, () => {});
  expect(worker.size()).toBe(24);
  expect(worker.isFull()).toBe(true);
  for (const leave of leaves) leave();
  expect(worker.size()).toBe(6);
});

test('an email that lingers no longer counts, and makes room for the next', () => {
  const { worker, leaves, onLinger } = enterMany(18, () => 'flood');
  vi.advanceTimersByTime(200);
  expect(worker.size()).toBe(0);
  expect(onLinger).toHaveBeenCalledTimes(18);
  for (const leave of leaves) leave();
  expect(worker.size()).toBe(0);
});

test('at most a hundred emails of one network linger, and the rest count until they leave', () => {
  const { worker } = enterMany(18, () => 'flood');
  for (let round = 0; round < 9; round++) {
    vi.advanceTimersByTime(200);
    for (let n = 0; n < 18; n++) if (worker.admits('flood')) worker.enter('flood', () => {});
  }
  vi.advanceTimersByTime(200);
  expect(worker.size()).toBe(18);
  expect(worker.admits('flood')).toBe(false);
  expect(worker.admits('honest')).toBe(true);
});

test('an email that is read alone never makes room', () => {
  const worker = createOccupancy('quarantine');
  worker.enter('a', () => {});
  vi.advanceTimersByTime(60_000);
  expect(worker.isFull()).toBe(true);
});
