import type { Envelope } from '../../../src/domain/envelope.ts';
import type { Clock } from '../../../src/ports/ambient.ts';
import {
  type EncodedLog,
  type FollowOptions,
  isEncoded,
  type LogHealth,
  type Recorded,
} from '../../../src/ports/log.ts';

/** A log in memory for a run that outlives none of its events: it is always there, and never full. */
export interface ShortLog<E> extends EncodedLog<E>, LogHealth {
  /** Every event there is, in order. */
  all(): readonly Recorded<E>[];
}

export function createShortLog<E extends Envelope>(clock: Clock): ShortLog<E> {
  let stored: Recorded<E>[] = [];
  let lastSeq = 0;
  const followers = new Set<FollowOptions<E>['onEvent']>();
  const of = (id: string) => stored.filter((one) => one.id === id);

  return {
    async append(id, given, expectedSeq) {
      const event: E = isEncoded(given) ? JSON.parse(new TextDecoder().decode(given.json)) : given;
      const next = of(id).find(({ seq }) => seq > expectedSeq);
      if (next) return { outcome: next.event.id === event.id ? 'appended' : 'lost', seq: next.seq };
      lastSeq += 1;
      const recorded = { id, seq: lastSeq, time: clock(), event };
      stored.push(recorded);
      // Later, as from a server: the caller of append has gone on by then.
      setImmediate(() => {
        for (const onEvent of followers) onEvent(recorded);
      });
      return { outcome: 'appended', seq: lastSeq };
    },
    read: async (id) => of(id),
    readRemains: async (id) => ({ events: of(id), damage: undefined, end: lastSeq }),
    appendAll: async () => false,
    counts: async () => new Map(),
    readAt: async (wanted) => stored.find(({ seq }) => seq === wanted),
    follow({ onEvent }) {
      for (const recorded of stored) onEvent(recorded);
      followers.add(onEvent);
      return {
        ready: Promise.resolve(),
        lag: () => 0,
        isBehind: () => false,
        stop: async () => void followers.delete(onEvent),
      };
    },
    async erase(gone) {
      stored = stored.filter(({ seq }) => seq !== gone);
    },
    connected: () => true,
    all: () => stored,
  };
}
