/** Tests that a follower of payments tolerates events that are repeated or out of order. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followPayments } from '../../src/actors/follower/payment-follower.ts';
import type { LowWater } from '../../src/domain/high-water-marks.ts';
import { isPaymentEvent, type PaymentEvent } from '../../src/domain/payment-events.ts';
import type { EventLog, FollowOptions } from '../../src/ports/log.ts';
import type { ChainOutcome } from '../../src/ports/payment.ts';
import { foldPayment, type PaymentState } from '../../src/projection/fold.ts';
import { memoryProjection } from '../support/log/memory-kv.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { paymentModel } from '../support/log/model.ts';
import { choices, logOf } from '../support/log/random-log.ts';
import { aSettler, receipt, refusal } from '../support/payments/settler.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const IDS = ['one', 'two', 'three'];

/** Three payments, the order in which their events arrive, and the event after which the mark is written. */
const several = fc.record({
  histories: fc.tuple(choices, choices, choices),
  order: fc.array(fc.nat({ max: IDS.length - 1 }), { maxLength: 150 }),
  markAt: fc.nat({ max: 60 }),
});

const known = (payments: Iterable<readonly [string, PaymentState]>) =>
  Object.fromEntries([...payments].map(([id, { value, context }]) => [id, [value, context]]));

test('a follower knows what is open and what has been paid, from the beginning and from any mark', async () => {
  await fc.assert(
    fc.asyncProperty(several, async ({ histories, order, markAt }) => {
      const log = memoryLog({ isEvent: isPaymentEvent });
      const marks = memoryProjection<LowWater>();
      const { logger } = keptLogger();
      const follow = async () => {
        const ports = { log, marks, logger };
        const follower = await followPayments(ports);
        await follower.ready;
        return follower;
      };
      const fromStart = await follow();

      const left = histories.map((picks) => logOf(paymentModel, picks).map(({ event }) => event));
      const states = new Map<string, PaymentState>();
      const seqs = new Map<string, number>();
      for (const [n, index] of [
        ...order,
        ...left.flatMap((all, i) => all.map(() => i)),
      ].entries()) {
        const [id = '', event] = [IDS[index], left[index]?.shift()];
        if (n === markAt) {
          await log.delivered();
          await fromStart.writeMark();
        }
        if (!event) continue;
        const appended = await log.append(id, event, seqs.get(id) ?? 0);
        if (appended.outcome !== 'appended') throw new Error(appended.outcome);
        seqs.set(id, appended.seq);
        states.set(id, paymentModel.next(states.get(id) ?? paymentModel.initial, event));
      }
      await log.delivered();

      const fromMark = await follow();
      const those = (value: string) => known([...states].filter(([, one]) => one.value === value));
      for (const follower of [fromStart, fromMark]) {
        expect(known(follower.unresolved())).toEqual(those('settling'));
        await follower.stop();
      }
    }),
  );
});

test('payments delivered several times count once', async () => {
  await fc.assert(
    fc.asyncProperty(choices, fc.array(fc.nat({ max: 3 })), async (picks, repeats) => {
      const stored = logOf(paymentModel, picks);
      let deliver: FollowOptions<PaymentEvent>['onEvent'] = () => {};
      const log = {
        readRemains: async () => ({ events: stored, damage: undefined, end: 0 }),
        follow(options: FollowOptions<PaymentEvent>) {
          deliver = options.onEvent;
          return {
            ready: Promise.resolve(),
            lag: () => 0,
            isBehind: () => false,
            stop: async () => {},
          };
        },
      } as unknown as EventLog<PaymentEvent>;
      const marks = memoryProjection<LowWater>();
      const { logger } = keptLogger();
      const ports = { log, marks, logger };
      const follower = await followPayments(ports);
      for (const n of stored.keys())
        for (const one of stored.slice(Math.max(0, n - (repeats[n] ?? 0)), n + 1)) deliver(one);
      // A closing event is read at the leader.
      await new Promise((resolve) => setImmediate(resolve));
      const state = foldPayment(stored.map(({ event }) => event));
      const expected = (value: string) => known(state.value === value ? [[TEST_ID, state]] : []);
      expect(known(follower.unresolved())).toEqual(expected('settling'));
      await follower.stop();
    }),
  );
});

/**
 * The replica that checks next. A follower that is late, or is told twice or in another order, checks like
 * this.
 */
const looks = fc.array(fc.constantFrom('replica-1', 'replica-2'), { minLength: 1, maxLength: 5 });

const verdicts = fc.constantFrom<ChainOutcome>(
  { state: 'open' },
  { state: 'dead' },
  { state: 'cancelled' },
  { state: 'settled', receipt, block: 101 },
);

test('however late and however often replicas check, a settlement ends once, as the chain says', async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(choices, looks, verdicts, async (picks, replicas, verdict) => {
      const { payments, script, replica, read } = aSettler();
      script.chain = async () => verdict;
      script.settle = async () => ({ kind: 'unknown', reason: 'still' });
      let seq = 0;
      for (const { event } of logOf(paymentModel, picks)) {
        const appended = await payments.append(TEST_ID, event, seq);
        if (appended.outcome === 'appended') seq = appended.seq;
      }
      const events = () => payments.all().map(({ event }) => event);
      const before = foldPayment(events());
      const length = events().length;

      await Promise.all(replicas.map((name) => replica(name).reconcile(TEST_ID)));

      const after = foldPayment(events());
      const ends = before.value === 'settling' && verdict.state !== 'open';
      expect(events()).toHaveLength(length + (ends ? 1 : 0));
      const ended = verdict.state === 'settled' ? 'paid' : 'unpaid';
      expect(after.value).toBe(ends ? ended : before.value);
      if (ends) decided++;

      const codes = { unpaid: 'payment_required', settling: 'settlement_pending', paid: undefined };
      const code = codes[after.value];
      if (code) expect(await refusal(read())).toMatchObject({ code });
      else expect((await read()).receipt).toEqual(after.context.settled?.receipt);
    }),
  );
  expect(decided).toBeGreaterThan(0);
});
