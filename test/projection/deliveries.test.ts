/** Tests that a follower of tests tolerates events that are repeated or out of order. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followTests } from '../../src/actors/follower/follower.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import type { EventLog, FollowOptions, Recorded } from '../../src/ports/log.ts';
import { evolve, fold } from '../../src/projection/fold.ts';
import { toRow, toState } from '../../src/projection/row.ts';
import { testModel } from '../support/log/model.ts';
import { choices, historyOf, logOf } from '../support/log/random-log.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

/** Creates a follower whose log delivers what it is told to, and reads what it contains. */
function setUp(stored: readonly Recorded<TestEvent>[]) {
  let deliver: FollowOptions<TestEvent>['onEvent'] = () => {};
  const log = {
    readRemains: async () => ({ events: stored, damage: undefined }),
    follow(options: FollowOptions<TestEvent>) {
      deliver = options.onEvent;
      return {
        ready: Promise.resolve(),
        lag: () => 0,
        isBehind: () => false,
        stop: async () => {},
      };
    },
  } as unknown as EventLog<TestEvent>;
  const { logger } = keptLogger();
  const rows = followTests({ log, clock: () => T0, logger });
  return { rows, deliver: (recorded: Recorded<TestEvent>) => deliver(recorded) };
}

test('events delivered several times count once', () => {
  fc.assert(
    fc.property(choices, fc.array(fc.nat({ max: 3 })), (picks, repeats) => {
      const stored = logOf(testModel, picks);
      const { rows, deliver } = setUp(stored);
      // Delivers again from some events earlier, as to a follower that has lost its place.
      for (const n of stored.keys())
        for (const one of stored.slice(Math.max(0, n - (repeats[n] ?? 0)), n + 1)) deliver(one);
      const seq = stored.at(-1)?.seq ?? 0;
      expect(rows.row(TEST_ID)).toEqual(toRow(fold(stored.map(({ event }) => event)), seq));
    }),
  );
});

test('in whatever order events are delivered, a row never goes back, and a reading corrects it', async () => {
  await fc.assert(
    fc.asyncProperty(choices, fc.infiniteStream(fc.nat()), async (picks, random) => {
      const stored = logOf(testModel, picks);
      const keys = [...random.take(stored.length)];
      const shuffled = stored
        .map((one, n) => ({ one, key: keys[n] ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const last = stored.at(-1);
      if (!last) return;
      const { rows, deliver } = setUp(stored);
      let highest = 0;
      for (const one of shuffled.filter(({ seq }) => seq !== last.seq)) {
        deliver(one);
        const seq = rows.row(TEST_ID)?.seq ?? highest;
        expect(seq).toBeGreaterThanOrEqual(highest);
        highest = seq;
      }
      await rows.refresh(TEST_ID);
      expect(rows.row(TEST_ID)).toEqual(toRow(fold(stored.map(({ event }) => event)), last.seq));
    }),
  );
});

test('a row folds as its state does', () => {
  fc.assert(
    fc.property(choices, (picks) => {
      const events = historyOf(testModel, picks);
      let row = toRow(fold(events.slice(0, 1)), 1);
      for (const event of events.slice(1)) row = row && toRow(evolve(toState(row), event), 1);
      expect(row).toEqual(toRow(fold(events), 1));
    }),
  );
});
