/**
 * Tests that replicas tell each other which tests have a damaged history, and believe it only if the leader
 * does not show the history complete.
 */

import { afterEach, expect, test } from 'vitest';
import { followTests } from '../../src/actors/follower/follower.ts';
import { shareDamage } from '../../src/actors/follower/share-damage.ts';
import { isTestEvent } from '../../src/domain/events.ts';
import type { DamagedTests } from '../../src/domain/high-water-marks.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryProjection } from '../support/log/memory-kv.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { eventually } from '../support/process/eventually.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function setUp() {
  const clock = () => T0 + 120_000;
  const log = memoryLog({ isEvent: isTestEvent, clock });
  const marks = memoryProjection<DamagedTests>();
  const { logger } = keptLogger();
  async function start() {
    const follower = followTests({ log, clock, logger, lookAgainMs: 20 });
    const sharing = shareDamage({ follower, marks, clock, logger, everyMs: 20 });
    stops.push(sharing.stop, follower.stop);
    await follower.ready;
    return follower;
  }
  async function append() {
    let seq = 0;
    for (const event of [
      anEvent('TestCreated'),
      anEvent('MailArrived', 60),
      anEvent('AnalysisDone', 61),
    ]) {
      const appended = await log.append(TEST_ID, event, seq);
      if (appended.outcome === 'appended') seq = appended.seq;
    }
    await log.delivered();
    return log.all().map((one) => one.seq);
  }
  return { log, marks, start, append };
}

test('a replica that has folded a history before it was damaged responds like one that starts now', async () => {
  const { log, start, append } = setUp();
  const before = await start();
  const [, arrived = 0] = await append();
  log.lose(arrived);
  expect(before.peek(TEST_ID)).toMatchObject({ status: 'ready' });
  const after = await start();
  await after.find(TEST_ID).catch(() => {});
  expect(after.frozen()).toBe(1);
  await eventually(() => expect(before.frozen()).toBe(1));
});

test('the same is true of a history that has lost its end', async () => {
  const { log, start, append } = setUp();
  const before = await start();
  const [, , done = 0] = await append();
  log.lose(done);
  const after = await start();
  await after.expectUpTo(TEST_ID, done);
  await eventually(() => expect(before.frozen()).toBe(1));
});

test('no replica believes that a history is damaged if the leader shows it complete', async () => {
  const { marks, start, append } = setUp();
  const follower = await start();
  await append();
  await marks.put('damaged_tests', { seq: T0 + 120_000, tests: { [TEST_ID]: 0 } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(follower.peek(TEST_ID)).toMatchObject({ status: 'ready' });
});
