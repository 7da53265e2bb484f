/** Tests that a process's wall clock can be set from outside. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClockOrder } from './wall-clock.ts';

const preload = new URL('./wall-clock.ts', import.meta.url);
const HOUR_MS = 3_600_000;

/** Tells the time in every possible way, here and in a worker, whenever it is asked. */
const CLOCKS = `
  import { once } from 'node:events';
  import { isMainThread, parentPort, Worker } from 'node:worker_threads';
  const read = () => ({
    now: Date.now(),
    made: new Date().getTime(),
    again: new (new Date().constructor)().getTime(),
    called: Date.parse(Date()),
    given: new Date(5).getTime(),
    isDate: new Date() instanceof Date,
    monotonic: performance.now() + performance.timeOrigin,
  });
  if (isMainThread) {
    const worker = new Worker(new URL(import.meta.url));
    process.on('message', async (message) => {
      if (message !== 'read') return;
      worker.postMessage('read');
      const [inWorker] = await once(worker, 'message');
      process.send([read(), inWorker]);
    });
    process.once('disconnect', () => process.exit());
  } else parentPort.on('message', () => parentPort.postMessage(read()));
`;

test('a clock is set in the whole process, including workers, and durations continue', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wall-clock-'));
  const script = join(folder, 'clocks.mjs');
  await writeFile(script, CLOCKS);
  const child = fork(script, { execArgv: ['--import', preload.href] });
  const answer = async (message: ClockOrder | 'read') => {
    const answered = once(child, 'message');
    child.send(message);
    return (await answered)[0];
  };
  try {
    for (const wallClockMs of [HOUR_MS, -96 * HOUR_MS, 0]) {
      expect(await answer({ wallClockMs })).toEqual({ wallClockMs });
      const before = Date.now() - 1000;
      const all: Record<string, number>[] = await answer('read');
      const after = Date.now();
      expect(all).toHaveLength(2);
      for (const { now, made, again, called, given, isDate, monotonic } of all) {
        for (const time of [now, made, again, called]) {
          expect(time).toBeGreaterThanOrEqual(before + wallClockMs);
          expect(time).toBeLessThanOrEqual(after + wallClockMs);
        }
        expect([given, isDate]).toEqual([5, true]);
        expect(monotonic).toBeGreaterThan(before - 1000);
        expect(monotonic).toBeLessThan(after + 1000);
      }
    }
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
