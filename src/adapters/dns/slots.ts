/**
 * Shares the slots for concurrent DNS queries fairly between networks, clients and emails, and limits how
 * long an email waits for them.
 */

import { createFairQueue } from '../../domain/fairness/fair-queue.ts';
import { createShares } from '../../domain/fairness/shares.ts';

/**
 * Maximum number of concurrent queries for all emails together. With more, socket buffers would overflow and
 * queries would time out because of us.
 */
const MAX_IN_FLIGHT = 256;

/**
 * A query that is unanswered after this many milliseconds gives up its slot: if its answer comes at all, it
 * does not come in a burst with others.
 */
const PROMPT_MS = 250;

/**
 * Number of a thread's queries that may stay unanswered for longer than `PROMPT_MS` without a slot. All
 * others hold their slots until they end.
 */
const MAX_LINGERING = 4096;

/** The last quarter of the slots is for networks that hold few, so that a flood cannot take it. */
const RESERVE = { reserve: 64, few: 8 };

/**
 * Number of slots that each thread has for itself if threads share the slots, so that it never waits for
 * another thread to wake it.
 */
const OWN = 16;

interface Waiting {
  readonly network: string;
  readonly start: () => void;
}

export interface Slot {
  release(): void;
}

/**
 * Manages the slots that the queries of all emails share. Networks, clients and emails take turns. `path`
 * goes from the client's widest network down to the email.
 *
 * @param shared counts the concurrent queries of all threads
 */
export function createSlots(shared: Int32Array = new Int32Array(1), promptMs = PROMPT_MS) {
  const waiting = createFairQueue<Waiting>();
  const own = createShares(MAX_IN_FLIGHT, RESERVE);
  const lingering = createShares(MAX_LINGERING);

  function mayStart({ network }: Pick<Waiting, 'network'>): boolean {
    const free = MAX_IN_FLIGHT - Atomics.load(shared, 0);
    return own.room([network], Math.max(free, OWN - own.held())) >= 1;
  }

  function hold(network: string, by: 1 | -1) {
    own.count([network], by);
    Atomics.add(shared, 0, by);
  }

  function startNext() {
    const next = waiting.take(mayStart);
    if (!next) return;
    hold(next.network, 1);
    next.start();
  }

  function free(network: string) {
    hold(network, -1);
    startNext();
  }

  function toSlot(network: string): Slot {
    let isLingering = false;
    const timer = setTimeout(() => {
      isLingering = lingering.take([network]);
      if (isLingering) free(network);
    }, promptMs);
    return {
      release() {
        clearTimeout(timer);
        if (isLingering) lingering.count([network], -1);
        else free(network);
      },
    };
  }

  return {
    /** Resolves to a slot once one is free, or to `undefined` if `patience` ended first. */
    async acquire(path: readonly string[], patience: Patience): Promise<Slot | undefined> {
      const network = path[0] ?? '';
      if (patience.isExhausted()) return undefined;
      if (waiting.size() === 0 && mayStart({ network })) {
        hold(network, 1);
        return toSlot(network);
      }
      const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
      const entry: Waiting = { network, start: () => resolve(toSlot(network)) };
      waiting.push(path, entry);
      startNext();
      const stop = patience.begin(() => {
        if (waiting.remove(entry)) resolve(undefined);
      });
      return promise.finally(stop);
    },
  };
}

export interface Patience {
  isExhausted(): boolean;
  /** Counts time until the returned function is called. Calls `onExhausted` when all the time is used up. */
  begin(onExhausted: () => void): () => void;
}

/** Limits how long one email waits for slots in total, in milliseconds. */
export function createPatience(budgetMs: number): Patience {
  const listeners = new Set<() => void>();
  let remaining = budgetMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  function exhaust() {
    remaining = 0;
    for (const listener of [...listeners]) listener();
    listeners.clear();
  }

  return {
    isExhausted: () => remaining <= 0,
    begin(onExhausted) {
      if (listeners.size === 0) {
        since = performance.now();
        timer = setTimeout(exhaust, remaining);
      }
      listeners.add(onExhausted);
      return () => {
        if (!listeners.delete(onExhausted) || listeners.size > 0) return;
        clearTimeout(timer);
        remaining -= performance.now() - since;
      };
    },
  };
}
