/** A log in memory, which keeps the promises of `EventLog` and can be made to fail. */

import type { Envelope } from '../../../src/domain/envelope.ts';
import { ServiceError, testDamaged } from '../../../src/domain/errors.ts';
import { findDamage } from '../../../src/domain/history.ts';
import { messageFaultOf } from '../../../src/domain/message-fault.ts';
import { upcast } from '../../../src/domain/upcast.ts';
import type { Clock } from '../../../src/ports/ambient.ts';
import {
  type Appended,
  type EncodedLog,
  type Following,
  type FollowOptions,
  isEncoded,
  type LogHealth,
  type Poison,
  type Recorded,
  type Remains,
} from '../../../src/ports/log.ts';

/**
 * A timer function that is kept from before a test may take over the clock. Deliveries need no time, only a
 * later turn.
 */
const later = setImmediate;

/** Distance between the sequences of a subject, because events of other subjects lie between them. */
const STEP = 3;

/** The result of the next append, whatever the log contains. */
export type Fault = 'unknown' | 'unknown_but_stored' | 'full';

interface Options<E> {
  readonly isEvent: (value: unknown) => value is E;
  /** Returns milliseconds since 1970. */
  readonly clock?: Clock;
  /** Largest number of messages per subject. Default: 64, as on `tests.*`. */
  readonly perSubject?: number;
}

interface Message {
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly after: number;
  readonly body: string;
}

/** The log of the unit tests: the promises of `EventLog`, and switches for what can go wrong. */
export interface MemoryLog<E> extends EncodedLog<E>, LogHealth {
  /** Sets the results of the next appends, one each. `unknown` stores nothing. */
  failNext(...faults: readonly Fault[]): void;
  /** Stores an event just before the next append, which is then `lost`. */
  race(event: E): void;
  /** Until `reconnect`, appends wait for their deadline and reads reject. */
  disconnect(): void;
  reconnect(): void;
  pauseFollowers(): void;
  resumeFollowers(): void;
  /** Stores a message as it is, to poison readers. */
  putRaw(id: string, body: string): number;
  /** Removes a message as damage does, without notifying anyone. */
  lose(seq: number): void;
  /** Makes a message unreadable, like a flipped bit. */
  corrupt(seq: number): void;
  /** Returns every event there is, in the order of the stream. */
  all(): readonly Recorded<E>[];
  readonly erased: readonly { readonly seq: number; readonly how: 'secure' | 'plain' }[];
  /** Resolves when every follower that is not held up has received everything. */
  delivered(): Promise<void>;
}

export function memoryLog<E extends Envelope>({
  isEvent,
  clock = Date.now,
  perSubject = 64,
}: Options<E>): MemoryLog<E> {
  let messages: Message[] = [];
  let lastSeq = 0;
  let connected = true;
  let paused = false;
  const faults: Fault[] = [];
  const rivals: E[] = [];
  const erased: { seq: number; how: 'secure' | 'plain' }[] = [];
  const followers = new Set<{ pump: () => void; isDone: () => boolean }>();
  const waiting = new Set<(connected: boolean) => void>();

  const wake = () => {
    for (const { pump } of followers) pump();
  };

  function store(id: string, body: string): number {
    lastSeq += STEP;
    const after = messages.findLast((one) => one.id === id)?.seq ?? 0;
    messages.push({ id, seq: lastSeq, time: clock(), after, body });
    wake();
    return lastSeq;
  }

  function toRecorded({ id, seq, time, after, body }: Message): Recorded<E> | Poison {
    const stored = parse(body);
    const event = upcast(stored);
    if (!isEvent(event)) return { id, seq, fault: messageFaultOf(stored) };
    return { id, seq, time, event, after };
  }

  const events = (some: readonly Message[]) => some.map(toRecorded).filter((one) => 'event' in one);

  function remainsOf(id: string): Remains<E> {
    mustReach();
    const subject = messages.filter((one) => one.id === id);
    const links = subject
      .map(toRecorded)
      .map((one) => ('event' in one ? { ...one, type: one.event.type } : one));
    return { events: events(subject), damage: findDamage(links), end: subject.at(-1)?.seq ?? 0 };
  }

  /**
   * Returns the place after which a follower begins. It is fixed once, because a restart must not move it.
   */
  function startOf(from: FollowOptions<E>['from']): number {
    if (!from) return 0;
    if ('seq' in from) return from.seq - 1;
    return (messages.find(({ time }) => time >= from.time)?.seq ?? lastSeq + 1) - 1;
  }

  /** Returns whether the log could be reached within this many milliseconds. */
  const reach = (deadlineMs: number) =>
    connected ||
    new Promise<boolean>((resolve) => {
      const done = (value: boolean) => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve(value);
      };
      const timer = setTimeout(() => done(false), deadlineMs);
      waiting.add(done);
    });

  function mustReach(): void {
    if (!connected) throw new ServiceError('log_unavailable');
  }

  function tryStore(id: string, event: E, body: string, expectedSeq: number): Appended {
    const rival = rivals.shift();
    if (rival) store(id, JSON.stringify(rival));

    const subject = messages.filter((one) => one.id === id);
    if ((subject.at(-1)?.seq ?? 0) !== expectedSeq) {
      const first = subject.find(({ seq }) => seq > expectedSeq);
      const found = first && toRecorded(first);
      const mine = found && 'event' in found && found.event.id === event.id;
      // An emptied subject refuses an expectation, and there is nothing to name.
      if (!first) return { outcome: 'unknown' };
      return { outcome: mine ? 'appended' : 'lost', seq: first.seq };
    }
    if (subject.length >= perSubject) return { outcome: 'full' };
    return { outcome: 'appended', seq: store(id, body) };
  }

  return {
    async append(id, given, expectedSeq, deadlineMs = 20_000) {
      const body = isEncoded(given) ? new TextDecoder().decode(given.json) : JSON.stringify(given);
      const event: unknown = JSON.parse(body);
      if (!isEvent(event)) throw new TypeError('The event does not fit its schema.');
      const fault = faults.shift();
      if (fault === 'full' || fault === 'unknown') return { outcome: fault };
      if (!(await reach(deadlineMs))) return { outcome: 'unknown' };
      const answer = tryStore(id, event, body, expectedSeq);
      return fault ? { outcome: 'unknown' } : answer;
    },

    async read(id) {
      const { events: whole, damage } = remainsOf(id);
      if (damage) throw testDamaged();
      return whole;
    },

    async readRemains(id) {
      return remainsOf(id);
    },

    async readAt(seq) {
      mustReach();
      return events(messages.filter((one) => one.seq === seq))[0];
    },

    async counts() {
      const counts = new Map<string, number>();
      for (const { id } of messages) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },

    async erase(seq, how) {
      mustReach();
      messages = messages.filter((one) => one.seq !== seq);
      erased.push({ seq, how });
    },

    follow({ from, containing, onEvent, onPoison }: FollowOptions<E>): Following {
      const target = lastSeq;
      let position = startOf(from);
      let scheduled = false;
      let stopped = false;
      const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
      const left = () => messages.filter((one) => one.seq > position);
      const isHeld = () => paused || !connected || stopped;

      function hand(delivered: Recorded<E> | Poison): void {
        const { id, seq } = delivered;
        try {
          if ('event' in delivered) onEvent(delivered);
          else onPoison?.(delivered);
        } catch {
          // A message that its reader cannot handle is reported as poison, whatever is wrong with it.
          onPoison?.({ id, seq, fault: 'unreadable' });
        }
      }
      function deliver(): void {
        scheduled = false;
        for (const message of isHeld() ? [] : left()) {
          position = message.seq;
          if (!containing || containing.test(message.body)) hand(toRecorded(message));
          if (isHeld()) break;
        }
        // The last messages may have been erased. If nothing is left, everything was delivered.
        if (!isHeld() && !left().some(({ seq }) => seq <= target)) becomeReady();
      }
      function pump(): void {
        if (scheduled || isHeld()) return;
        scheduled = true;
        later(deliver);
      }
      const follower = { pump, isDone: () => isHeld() || (!scheduled && left().length === 0) };
      followers.add(follower);
      pump();
      return {
        ready,
        lag: () => left().length,
        isBehind: () => paused && connected,
        async stop() {
          stopped = true;
          followers.delete(follower);
        },
      };
    },

    connected: () => connected,
    failNext: (...next) => void faults.push(...next),
    race: (event) => void rivals.push(event),
    disconnect() {
      connected = false;
    },
    reconnect() {
      connected = true;
      for (const done of [...waiting]) done(true);
      wake();
    },
    pauseFollowers() {
      paused = true;
    },
    resumeFollowers() {
      paused = false;
      wake();
    },
    putRaw: store,
    lose(seq) {
      messages = messages.filter((one) => one.seq !== seq);
    },
    corrupt(seq) {
      messages = messages.map((one) => (one.seq === seq ? { ...one, body: 'flipped' } : one));
    },
    all: () => events(messages),
    erased,
    async delivered() {
      do await new Promise((resolve) => later(resolve));
      while ([...followers].some(({ isDone }) => !isDone()));
    },
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
