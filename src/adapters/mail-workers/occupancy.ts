/**
 * Counts the emails that a worker is reading, by network, and decides whether it accepts another: some places
 * are reserved for networks that have none, and an email that probably waits for other servers no longer
 * counts.
 */

import { createShares } from '../../domain/fairness/shares.ts';
import type { LaneKind } from './pending-mail.ts';

/** The number of emails that a worker accepts, by the kind of worker. */
interface Capacity {
  /** Maximum number of emails that a worker reads at once. */
  readonly atOnce: number;
  /**
   * Number of these that are reserved for networks that have no email in the worker, so that a flood cannot
   * take them.
   */
  readonly reserved: number;
  /**
   * Time after which an email is probably waiting for other servers, in milliseconds. It then no longer
   * counts.
   */
  readonly lingerMs: number;
  /** Maximum number of emails that wait like this. */
  readonly maxLingering: number;
}

const CAPACITY: Readonly<Record<LaneKind, Capacity>> = {
  small: { atOnce: 24, reserved: 6, lingerMs: 200, maxLingering: 200 },
  large: { atOnce: 1, reserved: 0, lingerMs: 3000, maxLingering: 4 },
  // An email that broke a worker shares its next worker with no other email.
  quarantine: { atOnce: 1, reserved: 0, lingerMs: 0, maxLingering: 0 },
};

/** Counts the emails that one worker is reading, and decides whether it accepts another. */
export function createOccupancy(kind: LaneKind) {
  const { atOnce, reserved, lingerMs, maxLingering } = CAPACITY[kind];
  const lingering = createShares(maxLingering);
  const reading = createShares(atOnce, { reserve: reserved, few: 1 });

  return {
    /** Returns the number of emails that count against the limit. */
    size: reading.held,
    isFull: () => reading.held() >= atOnce,
    admits: (network: string): boolean => reading.room([network]) >= 1,
    /**
     * Accepts an email, which leaves when the returned function is called. `onLinger` is called if the email
     * stops counting before that.
     */
    enter(network: string, onLinger: () => void): () => void {
      let isLingering = false;
      reading.count([network], 1);
      const timer = setTimeout(() => {
        isLingering = lingering.take([network]);
        if (!isLingering) return;
        reading.count([network], -1);
        onLinger();
      }, lingerMs).unref();
      return () => {
        clearTimeout(timer);
        (isLingering ? lingering : reading).count([network], -1);
      };
    },
  };
}

export type Occupancy = ReturnType<typeof createOccupancy>;
