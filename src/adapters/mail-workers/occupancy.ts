/** Tracks which emails a worker has, and whether it accepts another one. */

import { createShares } from '../../domain/fairness/shares.ts';
import type { LaneKind } from './pending-mail.ts';

/** How much a worker accepts, by its kind. */
interface Capacity {
  /** Number of emails that it reads at once. */
  readonly atOnce: number;
  /** How many of these are reserved for networks that have none there, so that a flood cannot take them. */
  readonly reserved: number;
  /** After this many milliseconds, an email is probably waiting for other servers, and no longer counts. */
  readonly lingerMs: number;
  /** Number of emails that may wait like this. */
  readonly maxLingering: number;
}

const CAPACITY: Readonly<Record<LaneKind, Capacity>> = {
  small: { atOnce: 16, reserved: 4, lingerMs: 200, maxLingering: 200 },
  large: { atOnce: 1, reserved: 0, lingerMs: 3000, maxLingering: 4 },
  // An email that broke a worker shares its next worker with no other email.
  quarantine: { atOnce: 1, reserved: 0, lingerMs: 0, maxLingering: 0 },
};

/** Tracks which emails one worker has, and whether it accepts another. */
export function createOccupancy(kind: LaneKind) {
  const { atOnce, reserved, lingerMs, maxLingering } = CAPACITY[kind];
  const lingering = createShares(maxLingering);
  const reading = createShares(atOnce, { reserve: reserved, few: 1 });

  return {
    /** Returns the number of emails that count. */
    size: reading.held,
    isFull: () => reading.held() >= atOnce,
    admits: (network: string): boolean => reading.room([network]) >= 1,
    /**
     * Accepts an email until the returned function is called. `onLinger` is called if it stops counting
     * before that.
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
