/**
 * Follows the log of tests and keeps the state of every live test in memory, tells listeners about each
 * event, and freezes tests whose history is damaged. Reads a test at the leader of the log if memory may be
 * behind.
 */

import { testDamaged } from '../../domain/errors.ts';
import type { TestEvent } from '../../domain/events.ts';
import { type Damage, EMPTY, extend, standsAlone } from '../../domain/history.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { EventLog, Poison, Recorded, TestRows } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { evolve, fold } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createRowStore } from './row-store.ts';
import { createDoubts } from './unresolved-histories.ts';

/**
 * How far back a replica reads the log when it starts, in milliseconds. With the default settings, no test
 * lives longer.
 */
const HISTORY_MS = 49 * 3_600_000;

interface Ports {
  readonly log: EventLog<TestEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * How far back the log is read at the start, in milliseconds: longer than any test can live. Default: 49 h.
   */
  readonly historyMs?: number;
  /** Pause between two reads of damaged histories, in milliseconds. */
  readonly lookAgainMs?: number;
}

/** An event that was just folded. A row is `undefined` before the test exists and after it has ended. */
export interface Change {
  readonly recorded: Recorded<TestEvent>;
  readonly before: Row | undefined;
  readonly row: Row | undefined;
}

export interface TestFollower extends TestRows {
  /** Resolves when everything that was stored before the start has been folded. */
  readonly ready: Promise<void>;
  /** Calls the listener for each event from now on, in order, after it was folded. */
  listen(listener: (change: Change) => void): void;
  /**
   * Like `peek`, but also returns a test that is past its deletion time, so that its end can be recorded.
   */
  row(testId: string): Row | undefined;
  /** Returns every row, including those of tests past their deletion time. */
  rows(): Iterable<readonly [string, Row]>;
  /**
   * Freezes a test if its history at the leader ends before this sequence number. @throws `log_unavailable`
   */
  expectUpTo(testId: string, seq: number): Promise<void>;
  /** Returns true if the test's history is incomplete, or if it must first be read to find out. */
  isDamaged(testId: string): boolean;
  /** Returns the tests that are frozen because of damage, with the damage. */
  damaged(): readonly (readonly [id: string, damage: Damage])[];
  /** Returns the number of frozen tests. */
  frozen(): number;
  /** Returns the number of events that are stored but not yet folded. */
  lag(): number;
  stop(): Promise<void>;
}

/** Follows the log of tests and folds it into rows, from which every read is answered. */
export function followTests(ports: Ports): TestFollower {
  const { log, clock, logger } = ports;
  const { historyMs = HISTORY_MS } = ports;
  const rows = createRowStore();
  const doubts = createDoubts<Row | undefined>({
    name: 'test',
    wayOut: '`npm run operate -- replay end` ends it',
    ...{ examine, logger, clock, everyMs: ports.lookAgainMs, lifeMs: historyMs / 2 },
  });
  const listeners: ((change: Change) => void)[] = [];
  const reading = new Map<string, Promise<unknown>>();
  let position = 0;
  let caughtUp = false;

  const isAlive = (row: Row) => clock() < expiry(row);

  function alive(id: string): Row | undefined {
    const row = rows.get(id);
    if (!row && isFrozen(id)) throw testDamaged();
    return row && isAlive(row) ? row : undefined;
  }

  function onEvent(recorded: Recorded<TestEvent>): void {
    const { id, seq, event } = recorded;
    position = seq;
    const before = rows.get(id) ?? doubts.get(id)?.known;
    let row = before;
    // A read at the leader may already have brought a newer state.
    if (!before || before.seq < seq) {
      if (isSuspicious(recorded, before)) {
        suspect(id);
        return;
      }
      row = toRow(before ? evolve(toState(before), event) : fold([event]), seq);
      rows.set(id, row);
    }
    doubts.clear(id);
    for (const listener of listeners) call(listener, { recorded, before, row });
  }

  /** Returns whether an event does not follow from the state that is known here. */
  function isSuspicious(
    { id, seq, event: { type }, after }: Recorded<TestEvent>,
    before: Row | undefined,
  ): boolean {
    if (standsAlone(type)) return false;
    return isDamaged(id) || !!extend({ ...EMPTY, seq: before?.seq ?? 0 }, { seq, after }).damage;
  }

  const isDamaged = (id: string) => doubts.get(id) !== undefined;
  const isFrozen = (id: string) => doubts.get(id)?.damage !== undefined;

  /**
   * The event does not follow from the state that is known here. Only the leader knows whether an event was
   * lost in between.
   */
  function suspect(id: string): void {
    const known = rows.get(id);
    rows.set(id, undefined);
    doubts.suspect(id, known);
  }

  /** Reads the whole history. A complete one continues as if it had been followed. */
  async function examine(id: string): Promise<void> {
    if (!caughtUp) return;
    const before = doubts.get(id)?.known;
    try {
      const recorded = await readLeader(id);
      if (!recorded || isDamaged(id)) return;
      const row = rows.get(id);
      for (const listener of listeners) call(listener, { recorded, before, row });
    } catch {
      // A failed read proves nothing, so the history is read again later.
    }
  }

  function call(listener: (change: Change) => void, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      logger.error({ test_id: change.recorded.id, err: error }, 'an event could not be handled');
    }
  }

  function onPoison({ id, seq, fault }: Poison): void {
    position = seq;
    logger.error({ test_id: id, seq, fault }, 'message is not an event');
    suspect(id);
  }

  /** Returns the last event of the test. */
  async function readLeader(id: string): Promise<Recorded<TestEvent> | undefined> {
    const remains = await log.readRemains(id);
    const { events } = remains;
    const last = events.at(-1);
    const seq = last?.seq ?? 0;
    const before = doubts.get(id)?.damage;
    // An entry in the status bucket has shown an event that is no longer in the log.
    const lost = before?.problem === 'tail' && seq < before.seq ? before : undefined;
    const damage = remains.damage ?? lost;
    if (damage) {
      freeze(id, damage);
      return last;
    }
    const row = toRow(fold(events.map(({ event }) => event)), seq);
    const known = rows.get(id);
    // The follower knows more than this read about events that it has already passed: for example, the test
    // may have ended since.
    const isNews = known !== undefined || seq > position || isDamaged(id);
    if (isNews && seq > (known?.seq ?? 0)) rows.set(id, row);
    doubts.clear(id);
    return last;
  }

  /** A test past its deletion time may be partly erased. That is not damage. */
  function freeze(id: string, damage: Damage): void {
    const known = rows.get(id) ?? doubts.get(id)?.known;
    if (known && !isAlive(known)) return;
    rows.set(id, undefined);
    doubts.freeze(id, known, damage);
  }

  /** Runs only one read of a test at a time, however many callers ask for it. */
  function readOnce(id: string): Promise<unknown> {
    const running = reading.get(id) ?? readLeader(id).finally(() => reading.delete(id));
    reading.set(id, running);
    return running;
  }

  const following = log.follow({ from: { time: clock() - historyMs }, onEvent, onPoison });
  const ready = following.ready.then(() => {
    caughtUp = true;
    for (const [id] of doubts.all()) void examine(id);
  });

  return {
    ready,
    caughtUp: () => caughtUp,
    lag: () => following.lag(),
    isBehind: () => following.isBehind(),
    async stop() {
      doubts.stop();
      await following.stop();
    },
    listen: (listener) => void listeners.push(listener),
    row: rows.get,
    rows: rows.entries,
    peek: alive,
    has: rows.has,
    onRow: rows.onRow,
    async find(id) {
      if (!rows.has(id) && !isFrozen(id)) await readOnce(id);
      return alive(id);
    },
    async refresh(id) {
      // This read is not shared, because a read that began earlier may miss the event that the caller's
      // append has just lost to.
      await readLeader(id);
      return alive(id);
    },
    async expectUpTo(id, seq) {
      const { events, damage } = await log.readRemains(id);
      if (damage) freeze(id, damage);
      else if ((events.at(-1)?.seq ?? 0) < seq) freeze(id, { problem: 'tail', seq });
    },
    isDamaged,
    damaged: doubts.frozen,
    frozen: () => doubts.frozen().length,
    population: rows.counts,
  };
}
