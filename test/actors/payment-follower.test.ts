/**
 * Tests the actor that follows the log of payments: which settlements are still open, where a
 * restart begins to read, and when a payment is frozen.
 */

import { afterEach, expect, test } from 'vitest';
import {
  followPayments,
  type PaymentFollower,
} from '../../src/actors/follower/payment-follower.ts';
import { LOW_WATER_KEY, type LowWater } from '../../src/domain/high-water-marks.ts';
import { isPaymentEvent, type PaymentEvent } from '../../src/domain/payment-events.ts';
import { foldPayment } from '../../src/projection/fold.ts';
import { aPaymentEvent } from '../support/log/events.ts';
import { memoryProjection } from '../support/log/memory-kv.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { eventually } from '../support/process/eventually.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

let followers: PaymentFollower[] = [];
afterEach(async () => {
  await Promise.all(followers.map((one) => one.stop()));
  followers = [];
});

function setUp() {
  const log = memoryLog({ isEvent: isPaymentEvent });
  const marks = memoryProjection<LowWater>();
  const { logger, lines } = keptLogger();
  async function start(lastSeq?: number): Promise<PaymentFollower> {
    const end = lastSeq !== undefined && { lastSeq };
    const ports = { log, marks, logger, lookAgainMs: 20, ...end };
    const follower = await followPayments(ports);
    followers.push(follower);
    await follower.ready;
    return follower;
  }
  async function append(id: string, events: readonly PaymentEvent[]): Promise<number> {
    let seq = (await log.read(id)).at(-1)?.seq ?? 0;
    for (const event of events) {
      const appended = await log.append(id, event, seq);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      seq = appended.seq;
    }
    await log.delivered();
    return seq;
  }
  const mark = () => marks.all().get(LOW_WATER_KEY)?.seq;
  return { log, marks, lines, start, append, mark };
}

const started = (attempt = 1) => aPaymentEvent('SettlementStarted', 0, { attempt });
const signed = (attempt = 1) => aPaymentEvent('TransactionSigned', 1, { attempt });
const settled = (attempt = 1) => aPaymentEvent('PaymentSettled', 2, { attempt });
const failed = (attempt = 1) => aPaymentEvent('SettlementFailed', 3, { attempt });

test('an open settlement is known with everything that was signed for it', async () => {
  const { start, append } = setUp();
  const follower = await start();
  const events = [started(), signed(), signed()];
  await append('one', events);
  const [[id, state] = []] = follower.unresolved();
  expect(id).toBe('one');
  expect(state?.value).toBe('settling');
  expect(state?.context).toEqual(foldPayment(events).context);
});

test.each([
  ['settled', [started(), signed(), settled()]],
  ['failed', [started(), failed()]],
])('a settlement that has %s is not open', async (_, events) => {
  const { start, append } = setUp();
  const follower = await start();
  await append('one', events);
  expect([...follower.unresolved()]).toEqual([]);
});

test('an attempt after a failure is known as from the whole log', async () => {
  const { start, append } = setUp();
  const follower = await start();
  const events = [started(), signed(), failed(), started(2), signed(2)];
  await append('one', events);
  const [[, state] = []] = follower.unresolved();
  expect(state?.context).toEqual(foldPayment(events).context);
});

test('the mark is where the oldest open settlement started, otherwise the end', async () => {
  const { log, start, append, mark } = setUp();
  const follower = await start();
  await append('done', [started(), settled()]);
  const first = await append('open', [started()]);
  await append('open', [signed()]);
  await append('later', [started()]);
  await follower.writeMark();
  expect(mark()).toBe(first);
  await append('open', [settled()]);
  const end = await append('later', [settled()]);
  await follower.writeMark();
  expect(mark()).toBe(end + 1);
  expect(log.all().length).toBe(7);
});

test('a start from the mark leads to the same state as a start from the beginning', async () => {
  const { marks, start, append } = setUp();
  const first = await start();
  await append('failed', [started(), failed()]);
  await append('open', [started(), signed()]);
  await first.writeMark();
  await append('failed', [started(2), signed(2)]);
  const fromMark = await start();
  await marks.erase(LOW_WATER_KEY);
  const fromStart = await start();
  const known = (follower: PaymentFollower) =>
    Object.fromEntries([...follower.unresolved()].map(([id, { context }]) => [id, context]));
  expect(Object.keys(known(fromMark)).sort()).toEqual(['failed', 'open']);
  expect(known(fromMark)).toEqual(known(fromStart));
  expect(known(first)).toEqual(known(fromStart));
});

test('no mark is written before the catch-up', async () => {
  const { log, marks, mark, append } = setUp();
  await append('open', [started()]);
  log.pauseFollowers();
  const { logger } = keptLogger();
  const follower = await followPayments({ log, marks, logger });
  followers.push(follower);
  await follower.writeMark();
  expect(mark()).toBeUndefined();
  expect(follower.caughtUp()).toBe(false);
});

test('a message that cannot be read is logged with its position, and freezes its payment', async () => {
  const { log, lines, start } = setUp();
  await start();
  const seq = log.putRaw('one', '{}');
  await log.delivered();
  expect(lines).toMatchObject([
    { payment_id: 'one', seq, fault: 'wrong', msg: 'message is not an event' },
    { payment_id: 'one', seq, problem: 'wrong', msg: expect.stringContaining('frozen') },
  ]);
});

test('a damaged payment is frozen, even for a replica that starts after its low-water mark', async () => {
  const { log, start, append, mark } = setUp();
  const first = await start();
  await append('one', [started(), signed()]);
  const seq = log.putRaw('one', 'flipped');
  await append('two', [started(), settled()]);
  await eventually(() => expect(first.frozen()).toBe(1));
  expect([...first.unresolved()]).toEqual([]);
  await first.writeMark();
  expect(mark()).toBe(seq);
  const second = await start();
  await eventually(() => expect(second.frozen()).toBe(1));
});

test('a payment whose history is complete again continues on its own', async () => {
  const { log, start, append } = setUp();
  const follower = await start();
  await append('one', [started(), signed()]);
  const seq = log.putRaw('one', 'flipped');
  await log.delivered();
  await eventually(() => expect(follower.frozen()).toBe(1));
  log.lose(seq);
  await eventually(() => expect(follower.frozen()).toBe(0));
  expect([...follower.unresolved()].map(([id]) => id)).toEqual(['one']);
});

test('the closing event decides about a payment, whatever cannot be read before it', async () => {
  const { log, start, append } = setUp();
  const follower = await start();
  const end = await append('one', [started()]);
  log.corrupt(end);
  const seq = log.putRaw('one', 'flipped');
  await log.delivered();
  await eventually(() => expect(follower.frozen()).toBe(1));
  await log.append('one', aPaymentEvent('PaymentClosed', 9), seq);
  await log.delivered();
  await eventually(() => expect(follower.frozen()).toBe(0));
  expect([...follower.unresolved()]).toEqual([]);
});

test('a mark beyond the end of the log belongs to a log that was lost: all of this one is read', async () => {
  const { marks, start, append } = setUp();
  const seq = await append('one', [started()]);
  await marks.put(LOW_WATER_KEY, { seq: seq + 100 });
  const follower = await start(seq);
  expect([...follower.unresolved()].map(([id]) => id)).toEqual(['one']);
});
