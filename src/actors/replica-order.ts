import { OPERATOR } from '../domain/envelope.ts';
import { fnv1a } from '../domain/fnv.ts';
import type { TestFollower } from './follower/follower.ts';

/** How long a replica counts after its last event while others write, in milliseconds. */
const SEEN_MS = 60_000;

export interface ReplicaOrder {
  /**
   * How many other replicas come before this one for a test: 0 is the one that does what any could.
   *
   * @param except one that does not count, as it is the one that is watched
   */
  placeOf(testId: string, except?: string): number;
}

interface Ports {
  readonly follower: Pick<TestFollower, 'caughtUp' | 'listen'>;
  readonly replica: string;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
}

/**
 * Who shares the work: the replicas whose events came lately. It is a help and no lock: replicas that
 * know different ones may both do something, and the expected sequence lets one through; or leave it
 * to one that is gone, and then the next in line does it later.
 */
export function orderReplicas({ follower, replica, monotonic }: Ports): ReplicaOrder {
  const seenAt = new Map<string, number>();
  /** While nobody writes, nobody is gone: a burst after an hour of silence is shared as well. */
  let newest = 0;
  follower.listen(({ recorded: { event } }) => {
    if (event.by === OPERATOR || !follower.caughtUp()) return;
    newest = monotonic();
    if (event.by !== replica) seenAt.set(event.by, newest);
  });
  return {
    placeOf(testId, except) {
      if (seenAt.size === 0) return 0;
      const since = newest - SEEN_MS;
      const own = weight(replica, testId);
      let before = 0;
      for (const [other, at] of seenAt) {
        if (at < since) seenAt.delete(other);
        else if (other !== except && weight(other, testId) > own) before++;
      }
      return before;
    },
  };
}

/** The same on all replicas, and another order for each test (FNV-1a, and its bits mixed). */
function weight(replica: string, testId: string): number {
  let hash = fnv1a(`${replica}${testId}`);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
