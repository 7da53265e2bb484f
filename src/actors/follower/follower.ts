import { type Damage, EMPTY, extend, standsAlone } from '../../domain/chain.ts';
import { testDamaged } from '../../domain/errors.ts';
import type { TestEvent } from '../../domain/events.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { EventLog, Poison, Recorded, TestRows } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { evolve, fold } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createDoubts } from './doubts.ts';
import { createRowStore } from './row-store.ts';

/** How far back a replica reads at its start, in milliseconds: no test of the defaults is older. */
const HISTORY_MS = 49 * 3_600_000;

interface Ports {
  readonly log: EventLog<TestEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longer than any test lives, in milliseconds; 49 h by default. */
  readonly historyMs?: number;
  /** Between two looks at what is damaged, in milliseconds. */
  readonly lookAgainMs?: number;
}

/** An event that was just folded. `undefined` for a row: no test yet, or one that has ended. */
export interface Change {
  readonly recorded: Recorded<TestEvent>;
  readonly before: Row | undefined;
  readonly row: Row | undefined;
}

export interface TestFollower extends TestRows {
  /** Resolves when everything stored before the start has been folded. */
  readonly ready: Promise<void>;
  /** Calls back for each event from now on, after it was folded, in order. */
  listen(listener: (change: Change) => void): void;
  /** As `peek`, past its deletion or not: what is to be recorded as ended. */
  row(testId: string): Row | undefined;
  /** Every row there is, past its deletion or not. */
  rows(): Iterable<readonly [string, Row]>;
  /** Freezes a test whose history at the leader ends before this sequence. @throws `log_unavailable` */
  expectUpTo(testId: string, seq: number): Promise<void>;
  /** Whether the test's history is not whole, or has yet to be read to know. */
  isDamaged(testId: string): boolean;
  /** Tests that are frozen because of that, and why. */
  damaged(): readonly (readonly [id: string, damage: Damage])[];
  /** How many they are. */
  frozen(): number;
  /** Events stored and not yet folded. */
  lag(): number;
  stop(): Promise<void>;
}

/** Folds the log of tests into rows, which answer every read. */
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
    // A read at the leader may have been here first.
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

  /** Whether an event does not follow on what is known here. */
  function isSuspicious(
    { id, seq, event: { type }, after }: Recorded<TestEvent>,
    before: Row | undefined,
  ): boolean {
    if (standsAlone(type)) return false;
    return isDamaged(id) || !!extend({ ...EMPTY, seq: before?.seq ?? 0 }, { seq, after }).damage;
  }

  const isDamaged = (id: string) => doubts.get(id) !== undefined;
  const isFrozen = (id: string) => doubts.get(id)?.damage !== undefined;

  /** An event that does not follow on what is known here: only the leader knows whether one is lost. */
  function suspect(id: string): void {
    const known = rows.get(id);
    rows.set(id, undefined);
    doubts.suspect(id, known);
  }

  /** Reads the whole history. What is found whole goes on as if it had been followed. */
  async function examine(id: string): Promise<void> {
    if (!caughtUp) return;
    const before = doubts.get(id)?.known;
    try {
      const recorded = await readLeader(id);
      if (!recorded || isDamaged(id)) return;
      const row = rows.get(id);
      for (const listener of listeners) call(listener, { recorded, before, row });
    } catch {
      // No answer says nothing: it is looked at again.
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
    logger.error({ test_id: id, seq, fault }, 'message is no event');
    suspect(id);
  }

  /** Gives the last event. */
  async function readLeader(id: string): Promise<Recorded<TestEvent> | undefined> {
    const remains = await log.readRemains(id);
    const { events } = remains;
    const last = events.at(-1);
    const seq = last?.seq ?? 0;
    const before = doubts.get(id)?.damage;
    // What a view has shown to be there, and is not.
    const lost = before?.problem === 'tail' && seq < before.seq ? before : undefined;
    const damage = remains.damage ?? lost;
    if (damage) {
      freeze(id, damage);
      return last;
    }
    const row = toRow(fold(events.map(({ event }) => event)), seq);
    const known = rows.get(id);
    // What the follower has passed it knows better: also that the test has ended meanwhile.
    const isNews = known !== undefined || seq > position || isDamaged(id);
    if (isNews && seq > (known?.seq ?? 0)) rows.set(id, row);
    doubts.clear(id);
    return last;
  }

  /** One that is past its deletion may be erased in part: that is no damage. */
  function freeze(id: string, damage: Damage): void {
    const known = rows.get(id) ?? doubts.get(id)?.known;
    if (known && !isAlive(known)) return;
    rows.set(id, undefined);
    doubts.freeze(id, known, damage);
  }

  /** One read at a time for each test, however many ask. */
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
      // Not shared: a read that began earlier may not know what the caller has just lost to.
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
