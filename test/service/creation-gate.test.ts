import { expect, test } from 'vitest';
import { createCreationGate } from '../../src/service/creation-gate.ts';

const MIB = 1024 * 1024;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR = 3_600_000;

function gate({ bytes = 0, waiting = 0, ready = 0, perMinute = 0, reports = 0 } = {}) {
  const time = { now: 0 };
  const state = { bytes, waiting, ready };
  const created = createCreationGate(
    {
      sizes: () => [
        { stream: 'TESTS', bytes: state.bytes, maxBytes: MIB, firstAt: NOW - 23 * HOUR },
        { stream: 'REPORTS', bytes: reports, maxBytes: MIB, firstAt: null },
      ],
      population: () => ({
        waiting: state.waiting,
        processing: 0,
        ready: state.ready,
        rejected_or_not_received: 0,
        analysis_failed: 0,
      }),
      clock: () => NOW + time.now,
      monotonic: () => time.now,
    },
    { perMinute, retentionMs: 24 * HOUR },
  );
  return { ...created, time, state };
}

test('an empty log takes tests', () => {
  const { admit, room } = gate();
  expect(admit()).toBeNull();
  expect(room()).toBeCloseTo(0.95, 1);
});

test('what the tests that exist may still append is kept for them', () => {
  const half = { bytes: MIB / 2 };
  expect(gate({ ...half, waiting: 200 }).admit()).toBeNull();
  expect(gate({ ...half, waiting: 240 }).admit()).not.toBeNull();
  expect(gate({ ...half, ready: 240 }).admit()).toBeNull();
});

test('a full log says when its oldest test is deleted', () => {
  expect(gate({ bytes: MIB }).admit()).toEqual({ retryAfter: 3600 });
});

test('so does a full stream of reports', () => {
  expect(gate({ reports: MIB }).admit()).toEqual({ retryAfter: 3600 });
});

test('creations between two readings count', () => {
  const { admit, time, state } = gate({ bytes: 0.9 * MIB });
  let created = 0;
  while (admit() === null) created += 1;
  expect(created).toBeLessThan((0.05 * MIB) / 2048);
  state.bytes = 0;
  expect(admit()).not.toBeNull();
  time.now += 5000;
  expect(admit()).toBeNull();
});

test('all clients together have a budget a minute, and are told when it is new', () => {
  const { admit, time } = gate({ perMinute: 2 });
  expect([admit(), admit()]).toEqual([null, null]);
  time.now += 20_500;
  expect(admit()).toEqual({ retryAfter: 40 });
  time.now += 39_500;
  expect(admit()).toBeNull();
});
