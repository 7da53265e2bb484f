/**
 * Tests the reading of a whole log, event by event, and work on many items at once that is repeated
 * if the log does not respond.
 */

import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import { isTestEvent } from '../../../src/domain/events.ts';
import { eachAtOnce } from '../../../src/operator/replay/concurrently.ts';
import { scan } from '../../../src/operator/replay/scan.ts';
import { anEvent } from '../../support/log/events.ts';
import { memoryLog } from '../../support/log/memory-log.ts';
import { TEST_ID } from '../../support/process/instants.ts';

async function aLog() {
  const log = memoryLog({ isEvent: isTestEvent });
  const events = [anEvent('TestCreated'), anEvent('MailRefused', 10), anEvent('MailRefused', 20)];
  for (const event of events)
    await log.append(TEST_ID, event, (await log.read(TEST_ID)).at(-1)?.seq ?? 0);
  return log;
}

const options = { name: 'tests', progress: () => {} };

describe('scan', () => {
  test('delivers every event once, in order, and then ends', async () => {
    const log = await aLog();
    const seen: number[] = [];
    await scan(log, { ...options, onEvent: ({ seq }) => void seen.push(seq) });
    expect(seen).toEqual((await log.read(TEST_ID)).map(({ seq }) => seq));
  });

  test('reports its progress, and how much is left', async () => {
    const printedAt: string[] = [];
    const progress = (what: string, done: number, total: () => number) =>
      void printedAt.push(`${what} ${done}/${total()}`);
    await scan(await aLog(), { ...options, progress, onEvent: () => {} });
    expect(printedAt).toHaveLength(3);
    expect(printedAt.at(-1)).toBe('tests 3/3');
  });

  test('ends with the error of its callback, and delivers no more', async () => {
    let calls = 0;
    const failing = async () =>
      scan(await aLog(), {
        ...options,
        onEvent() {
          calls++;
          throw new Error('the disk is full');
        },
      });
    await expect(failing()).rejects.toThrow('the disk is full');
    expect(calls).toBe(1);
  });
});

test('scan gives up on a silent log', async () => {
  const stop = vi.fn(async () => {});
  const silent = {
    follow: () => ({
      ready: new Promise<void>(() => {}),
      lag: () => 0,
      isBehind: () => false,
      stop,
    }),
  };
  const scanning = scan(silent, { ...options, onEvent: () => {}, patienceMs: 10 });
  await expect(scanning).rejects.toMatchObject({ code: 'log_unavailable' });
  expect(stop).toHaveBeenCalledOnce();
});

describe('eachAtOnce', () => {
  test('works on each item once, at most 32 at a time', async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    await eachAtOnce(Array(100).keys(), async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      seen.push(item);
      running--;
    });
    expect(seen.toSorted((one, other) => one - other)).toEqual([...Array(100).keys()]);
    expect(most).toBe(32);
  });

  test('fails with the first item that fails, and begins no more', async () => {
    let begun = 0;
    const work = async (item: number) => {
      begun++;
      if (item === 3) throw new Error('three');
    };
    await expect(eachAtOnce(Array(1000).keys(), work)).rejects.toThrow('three');
    expect(begun).toBeLessThan(100);
  });

  test('begins again with an item if the log did not respond', async () => {
    let outages = 1;
    const done: number[] = [];
    await eachAtOnce([1, 2], async (item) => {
      if (item === 2 && outages-- > 0) throw new ServiceError('log_unavailable');
      done.push(item);
    });
    expect(done).toEqual([1, 2]);
  });

  test('gives up if the log does not respond for long', async () => {
    const work = async () => {
      throw new ServiceError('log_unavailable');
    };
    await expect(eachAtOnce([1], work, 0)).rejects.toThrow(ServiceError);
  });
});
