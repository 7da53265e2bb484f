/** Tests that the connection to the log works while the machine's wall clock is set. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openLogClock } from '../../../src/adapters/nats/clock.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';

const HOUR_MS = 3_600_000;

let environment: Awaited<ReturnType<typeof startLogs>>;
beforeAll(async () => {
  environment = await startLogs();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => environment?.end());

const trueNow = Date.now;

/** From now on, the wall clock of this process is wrong, but its monotonic clock is not. */
function setClock(byMs: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + byMs);
}

test.each([HOUR_MS, -HOUR_MS])('the time is that of the log, %d ms apart from ours', async (by) => {
  setClock(by);
  const { connection, tests } = environment;
  const clock = await openLogClock(connection, { stream: 'TESTS', onSet: () => {} });
  const before = clock.now();
  const { outcome } = await tests.append(`clock${by}`, anEvent('TestCreated'), 0);
  const after = clock.now();
  clock.stop();
  expect(outcome).toBe('appended');
  const [stored] = await tests.read(`clock${by}`);
  // The tolerance is what the quickest of five answers allows.
  expect(before).toBeLessThan((stored?.time ?? 0) + 200);
  expect(after).toBeGreaterThan((stored?.time ?? 0) - 200);
});

test('a server that does not send its time is an error', async () => {
  const jsm = {
    streams: { info: async () => ({}) },
  } as unknown as typeof environment.connection.jsm;
  await expect(openLogClock({ jsm }, { stream: 'TESTS', onSet: () => {} })).rejects.toThrow(
    'The nats-server does not report its time.',
  );
});

test('an append continues through a restart while the clock is set ahead', async () => {
  await environment.goAway();
  const appended = environment.tests.append('ahead', anEvent('TestCreated'), 0, 10_000);
  setClock(HOUR_MS);
  await environment.comeBack();
  expect(await appended).toMatchObject({ outcome: 'appended' });
});

test('an append and a read end in their time after the clock was set back', async () => {
  await environment.goAway();
  const appended = environment.tests.append('back', anEvent('TestCreated'), 0, 500);
  const read = environment.tests.read('back').catch(({ code }) => code);
  setClock(-HOUR_MS);
  expect(await appended).toEqual({ outcome: 'unknown' });
  expect(await read).toBe('log_unavailable');
  vi.restoreAllMocks();
  await environment.comeBack();
});

test('a lost connection is opened again after the clock was set back', async () => {
  setClock(-HOUR_MS);
  await environment.goAway();
  await environment.comeBack();
  expect(environment.connection.connected()).toBe(true);
});

test('a follower whose consumer is gone continues after the clock was set back', async () => {
  const { connection, tests } = environment;
  const seen: string[] = [];
  const following = tests.follow({ onEvent: ({ id }) => void seen.push(id) });
  await following.ready;
  for await (const { name } of connection.jsm.consumers.list('TESTS'))
    await connection.jsm.consumers.delete('TESTS', name);
  setClock(-HOUR_MS);
  await tests.append('gone', anEvent('TestCreated'), 0);
  while (!seen.includes('gone')) await sleep(20);
  await following.stop();
  expect(seen.filter((id) => id === 'gone')).toHaveLength(1);
});
