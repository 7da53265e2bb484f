/**
 * Tests the loop that decides on the latest event, appends, and decides again if another writer was first.
 */

import { expect, test, vi } from 'vitest';
import { isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import { decideOn } from '../../src/ports/decide.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { TEST_ID } from '../support/process/instants.ts';

const event = anEvent('MailArrived', 60);

async function setUp() {
  const log = memoryLog<TestEvent>({ isEvent: isTestEvent });
  await log.append(TEST_ID, anEvent('TestCreated'), 0);
  const read = vi.fn(async () => (await log.read(TEST_ID)).at(-1));
  const [first] = await log.read(TEST_ID);
  return { log, read, first, decide: decideOn(log, read) };
}

test('if the state is known, it decides, and the leader is not asked', async () => {
  const { log, read, first, decide } = await setUp();
  const choose = vi.fn(() => ({ event }));
  const decided = await decide(TEST_ID, first, choose);
  expect(decided).toMatchObject({ outcome: 'appended', event, known: first });
  expect(choose).toHaveBeenCalledExactlyOnceWith(first);
  expect(read).not.toHaveBeenCalled();
  expect(log.all()).toMatchObject([{}, { event, after: first?.seq }]);
});

test('after a lost race, the decision is made again on the newer state, and may then be a refusal', async () => {
  const { log, first, decide } = await setUp();
  const rival = anEvent('MailRefused', 30);
  log.race(rival);
  const decided = await decide(TEST_ID, first, (known) =>
    known === first ? { event } : { refusal: known?.event.type },
  );
  expect(decided).toEqual({ outcome: 'refused', refusal: 'MailRefused' });
  expect(log.all().map((one) => one.event.type)).toEqual(['TestCreated', 'MailRefused']);
});

test.each([
  [5, {}],
  [1, { rounds: 1 }],
])('after %i rounds, the last answer is returned', async (rounds, options) => {
  const { log, first, decide } = await setUp();
  for (let n = 0; n < rounds; n++) log.race(anEvent('MailRefused', n));
  const choose = vi.fn(() => ({ event }));
  expect(await decide(TEST_ID, first, choose, options)).toMatchObject({ outcome: 'lost' });
  expect(choose).toHaveBeenCalledTimes(rounds);
});

test.each(['full', 'unknown'] as const)('an append that is %s is not repeated', async (fault) => {
  const { log, read, first, decide } = await setUp();
  log.failNext(fault);
  expect(await decide(TEST_ID, first, () => ({ event }))).toMatchObject({ outcome: fault });
  expect(read).not.toHaveBeenCalled();
});
