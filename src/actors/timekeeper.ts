/**
 * Appends the timer events of tests when their deadlines pass, on every replica, and keeps the deadlines in a
 * heap with the earliest on top.
 */

import type { TestEvent } from '../domain/events.ts';
import type { Clock } from '../ports/ambient.ts';
import type { EventLog } from '../ports/log.ts';
import { type Durations, nextDeadline, toTimerEvent } from '../projection/deadlines.ts';
import { type Row, toState } from '../projection/row.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Ending } from './eraser.ts';
import type { TestFollower } from './follower/follower.ts';
import { createJobQueue } from './job-queue.ts';

/**
 * Longest random delay of a deadline, in milliseconds, so that the first replica's event reaches the others
 * before they fire.
 */
const SPREAD_MS = 200;

/**
 * Number of deadlines that are processed at once. Each causes a disk sync, and a burst of them must not crowd
 * out emails.
 */
const IN_FLIGHT = 64;

/** Time until a deadline is checked again after its append was lost or unanswered, in milliseconds. */
const AGAIN_MS = 500;

/**
 * Time until a deadline is checked again if its append failed because the log is full or broken, in
 * milliseconds.
 */
const FAULT_MS = 60_000;

/**
 * Longest sleep, in milliseconds. A short sleep lets us notice that the clock was set, and timers overflow at
 * 24 days.
 */
const SLEEP_MS = 5000;

interface Ports {
  readonly log: Pick<EventLog<TestEvent>, 'append'>;
  readonly follower: Pick<TestFollower, 'ready' | 'rows' | 'row' | 'listen'>;
  readonly durations: Durations;
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly replica: string;
  readonly logger: Logger;
  /**
   * Called if the end of a test was not recorded, because the log is full or does not say whether the event
   * was stored.
   */
  readonly onUnrecorded: (testId: string, ending: Ending) => void;
}

/** The error for an event that was not stored. Its message is the outcome of the append. */
class NotStored extends Error {}

/**
 * Fires the deadlines. Every replica does this, because there may be no other replica; the expected sequence
 * number lets only one event through. Nothing fires before the catch-up is complete, because a row may be
 * older than its test.
 */
export function startTimekeeper(ports: Ports) {
  const { log, follower, durations, clock, random, newId, replica, logger } = ports;
  const heap = earliestFirst<{ readonly dueAt: number; readonly testId: string }>();
  const work = createJobQueue({
    lanes: () => IN_FLIGHT,
    againMs: (error) =>
      error instanceof NotStored && error.message !== 'full' ? AGAIN_MS : FAULT_MS,
    onFault(test_id, err) {
      if (!(err instanceof NotStored))
        logger.error({ test_id, err }, 'deadline could not be fired');
    },
  });
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires next, by the log's clock. */
  let wakesAt = Number.POSITIVE_INFINITY;
  let begun = false;
  let stopped = false;

  function schedule(testId: string, dueAt: number): void {
    heap.push({ testId, dueAt });
    // Most new deadlines are due long after the next one, so the timer rarely has to change.
    if (begun && dueAt < wakesAt) wake();
  }

  const scheduleRow = (testId: string, row: Row) =>
    schedule(testId, nextDeadline(row, durations).at + random() * SPREAD_MS);

  function wake(): void {
    clearTimeout(timer);
    wakesAt = Number.POSITIVE_INFINITY;
    if (stopped) return;
    const now = clock();
    for (let next = heap.peek(); next && next.dueAt <= now; next = heap.peek()) {
      heap.pop();
      const { testId } = next;
      const row = follower.row(testId);
      // Otherwise, the test has changed since this deadline was scheduled, and its new deadline has an entry
      // of its own.
      if (row && nextDeadline(row, durations).at <= now) work.add(testId, () => fire(testId));
    }
    const next = heap.peek();
    if (!next) return;
    wakesAt = Math.min(now + SLEEP_MS, next.dueAt);
    timer = setTimeout(wake, wakesAt - now);
  }

  async function fire(testId: string): Promise<void> {
    const now = clock();
    const row = follower.row(testId);
    const deadline = row && nextDeadline(row, durations);
    if (!deadline) return;
    // The clock was set back in the meantime, or an event arrived.
    if (deadline.at > now) return schedule(testId, deadline.at);
    const event = toTimerEvent(row, deadline, { id: newId(), by: replica, firedAt: now });
    const { type } = event;
    if (!toState(row).can(event)) throw new Error(`${type} does not match its own row.`);
    const { outcome } = await log.append(testId, event, row.seq);
    logger.debug({ test_id: testId, type, outcome }, 'deadline fired');
    if (outcome === 'appended') return;
    if (type === 'Expired' && outcome !== 'lost')
      ports.onUnrecorded(testId, { event, after: row.seq });
    if (outcome === 'full')
      logger.error({ test_id: testId, type }, 'the log accepts no more events');
    throw new NotStored(outcome);
  }

  follower.listen(({ recorded, row }) => {
    if (begun && row) scheduleRow(recorded.id, row);
  });
  const ready = follower.ready.then(() => {
    for (const [testId, row] of follower.rows()) scheduleRow(testId, row);
    begun = true;
    wake();
  });

  return {
    /** Resolves when the deadlines that were overdue at the start are being processed. */
    ready,
    /** Stops after the deadlines that are in progress. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await work.stop();
    },
  };
}

/** Something that is due at an instant, in milliseconds since 1970. */
export interface Timed {
  readonly dueAt: number;
}

/**
 * Creates a binary heap with the earliest entry on top. Even with a million deadlines, each of them costs
 * only twenty steps.
 */
export function earliestFirst<T extends Timed>() {
  const items: T[] = [];
  const dueAt = (index: number) => items[index]?.dueAt ?? Number.POSITIVE_INFINITY;

  function swap(one: number, other: number): void {
    const kept = items[one] as T;
    items[one] = items[other] as T;
    items[other] = kept;
  }

  return {
    get size() {
      return items.length;
    },
    peek: (): T | undefined => items[0],
    push(item: T): void {
      let index = items.push(item) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (dueAt(parent) <= dueAt(index)) return;
        swap(parent, index);
        index = parent;
      }
    },
    pop(): T | undefined {
      const top = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      items[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const child = dueAt(left + 1) < dueAt(left) ? left + 1 : left;
        if (dueAt(index) <= dueAt(child)) return top;
        swap(index, child);
        index = child;
      }
    },
  };
}
