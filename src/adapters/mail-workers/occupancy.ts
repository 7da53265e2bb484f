import { createShares } from '../../domain/fairness/shares.ts';
import type { LaneKind } from './pending-mail.ts';

/** What a worker takes on, by its kind. */
interface Capacity {
  /** Mails that it reads at once. */
  readonly atOnce: number;
  /** Of these, for networks that have none there: one that floods cannot take them. */
  readonly reserved: number;
  /** After so many milliseconds a mail waits for others' servers, and no longer counts. */
  readonly lingerMs: number;
  /** Mails that wait so. */
  readonly maxLingering: number;
}

const CAPACITY: Readonly<Record<LaneKind, Capacity>> = {
  small: { atOnce: 16, reserved: 4, lingerMs: 200, maxLingering: 200 },
  large: { atOnce: 1, reserved: 0, lingerMs: 3000, maxLingering: 4 },
  // One that broke a worker shares it with nobody.
  quarantine: { atOnce: 1, reserved: 0, lingerMs: 0, maxLingering: 0 },
};

/** Which mails one worker has, and whether it takes another. */
export function createOccupancy(kind: LaneKind) {
  const { atOnce, reserved, lingerMs, maxLingering } = CAPACITY[kind];
  const lingering = createShares(maxLingering);
  const reading = createShares(atOnce, { reserve: reserved, few: 1 });

  return {
    /** Mails that count. */
    size: reading.held,
    isFull: () => reading.held() >= atOnce,
    admits: (network: string): boolean => reading.room([network]) >= 1,
    /** Takes one on until the returned function is called; `onLinger`: before that, it counts no more. */
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
