/**
 * Has the settlements that no request waits for, such as those of a replica that has ended, checked on the
 * chain and completed: at the start, and then less and less often while the chain does not decide.
 */

import type { Clock } from '../ports/ambient.ts';
import type { PaymentState } from '../projection/fold.ts';
import type { Timeouts } from './settler/timeouts.ts';

/** An open settlement as this replica has observed it, in `performance.now()` time. */
interface Watched {
  readonly since: number;
  readonly lookedAt?: number;
}

/** Longest pause between two checks of a settlement that the chain does not decide, in milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Returns when to check a settlement next, in `performance.now()` time.
 *
 * @param now milliseconds since 1970
 */
export function nextLook(
  { since, lookedAt }: Watched,
  { context }: PaymentState,
  now: number,
  timeouts: Pick<Timeouts, 'firstLook' | 'nextLook' | 'lookAfterEnd'>,
): number {
  if (lookedAt === undefined) return since + timeouts.firstLook;
  const validBefore = Number(context.started?.payload.authorization.validBefore) * 1000;
  const pause = now <= validBefore ? timeouts.nextLook : timeouts.lookAfterEnd;
  // A settlement that stays undecided is checked less and less often, before and after its end, because each
  // check queries the node.
  const past = now <= validBefore ? Number.POSITIVE_INFINITY : now - validBefore;
  const open = Math.min(lookedAt - since, past);
  return lookedAt + Math.max(pause, Math.min(open / 3, LONGEST_PAUSE_MS));
}

interface Ports {
  /** Returns the payments in `settling`, by id, as this replica's follower knows them. */
  readonly unresolved: () => Iterable<readonly [string, PaymentState]>;
  /** Queries the chain about a payment, and resumes the work on it if necessary. Never rejects. */
  readonly reconcile: (id: string) => Promise<void>;
  readonly clock: Clock;
  /** Returns a number from 0 to 1, exclusive. */
  readonly random: () => number;
  readonly timeouts: Timeouts;
}

/**
 * Longest random delay before a check, in milliseconds. Without it, replicas would check at the same time and
 * duplicate each other's work.
 */
const SPREAD_MS = 200;

/**
 * Completes settlements that no request waits for. Start it after the catch-up: every settlement that is open
 * then is checked immediately.
 */
export function startReconciler({ unresolved, reconcile, clock, random, timeouts }: Ports) {
  const watched = new Map<string, Watched>();
  const waiting = new Set<NodeJS.Timeout>();
  let atStart = true;

  function look(id: string): void {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      void reconcile(id);
    }, random() * SPREAD_MS);
    waiting.add(timer);
  }

  function tick(): void {
    const now = performance.now();
    const open = new Map(unresolved());
    for (const id of watched.keys()) if (!open.has(id)) watched.delete(id);
    for (const [id, state] of open) {
      const one = watched.get(id) ?? { since: now };
      const isDue = atStart || nextLook(one, state, clock(), timeouts) <= now;
      watched.set(id, isDue ? { ...one, lookedAt: now } : one);
      if (isDue) look(id);
    }
    atStart = false;
  }

  const timer = setInterval(tick, timeouts.tick);
  tick();
  return {
    stop() {
      clearInterval(timer);
      for (const one of waiting) clearTimeout(one);
    },
  };
}
