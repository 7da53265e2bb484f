/**
 * Tests that no more tests are created than the log has room for, and how networks share the number
 * of tests per minute.
 */

import { expect, test } from 'vitest';
import { createCreationGate } from '../../src/service/creation-gate.ts';

const MIB = 1024 * 1024;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR = 3_600_000;

function gate({
  bytes = 0,
  waiting = 0,
  ready = 0,
  perMinute = 0,
  reports = 0,
  maxBytes = MIB,
} = {}) {
  const time = { now: 0 };
  const state = { bytes, waiting, ready };
  const created = createCreationGate(
    {
      sizes: () => [
        { stream: 'TESTS', bytes: state.bytes, maxBytes, firstAt: NOW - 23 * HOUR },
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
  const admit = (ip = '192.0.2.1') => created.admit(ip);
  return { ...created, admit, time, state };
}

test('an empty log accepts tests', () => {
  const { admit, room } = gate();
  expect(admit()).toBeNull();
  expect(room()).toBeCloseTo(0.95, 1);
});

test('the bytes that existing tests may still append are reserved for them', () => {
  const half = { bytes: MIB / 2 };
  expect(gate({ ...half, waiting: 200 }).admit()).toBeNull();
  expect(gate({ ...half, waiting: 240 }).admit()).not.toBeNull();
  expect(gate({ ...half, ready: 240 }).admit()).toBeNull();
});

test('a full log says when its oldest test is deleted', () => {
  expect(gate({ bytes: MIB }).admit()).toEqual({ because: 'room', retryAfter: 3600 });
});

test('a full stream of reports says when its oldest report is deleted', () => {
  expect(gate({ reports: MIB }).admit()).toEqual({ because: 'room', retryAfter: 3600 });
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

test('all clients together have a budget per minute, of which one network has a quarter', () => {
  const { admit, time } = gate({ perMinute: 100 });
  const take = (ip: (n: number) => string) =>
    Array.from({ length: 200 }, (_, n) => admit(ip(n))).filter((wait) => wait === null).length;
  expect(take((n) => `2001:db8:${n.toString(16)}::1`)).toBe(25);
  expect(take((n) => `192.0.2.${n}`)).toBe(1);
  expect(admit('198.51.100.1')).toBeNull();
  expect(admit('2001:db8::1')).toMatchObject({ because: 'rate' });
  time.now += 60_000;
  expect(admit('2001:db8::1')).toBeNull();
});

test.each([
  [1, 64],
  [4, 64],
  [10, 1],
])(
  '%i visitors per second are served beside %i networks that take all they get',
  (visitors, networks) => {
    const { admit, time } = gate({ perMinute: 1000, maxBytes: 1024 * MIB });
    let served = 0;
    for (let second = 0; second < 180; second++) {
      for (let n = 0; n < 8; n++)
        for (let network = 0; network < networks; network++) admit(`10.${network}.${n}.1`);
      for (let n = 0; n < visitors; n++)
        if (admit(`172.${(second * visitors + n) % 250}.0.1`) === null) served += 1;
      time.now += 1000;
    }
    expect(served / (180 * visitors)).toBeGreaterThanOrEqual(0.95);
  },
);

test('a client refused because of the rate is told when some of it is free again', () => {
  const { admit, time } = gate({ perMinute: 1 });
  expect(admit()).toBeNull();
  time.now += 20_000;
  const wait = admit();
  expect(wait?.retryAfter).toBeLessThanOrEqual(40);
  time.now += (wait?.retryAfter ?? 0) * 1000;
  expect(admit()).toBeNull();
});
