/**
 * Keeps the histories of tests or payments that are incomplete (frozen) or may be, and reads each again and
 * again at the leader of the log until it is complete or over.
 */

import type { Damage } from '../../domain/history.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createJobQueue } from '../job-queue.ts';

/** Pause between two rounds of re-reading, in milliseconds. */
const EVERY_MS = 2500;

/** Number of histories that are read at once. Thousands may be damaged, and other work needs the log too. */
const LANES = 16;

/** A history that has to be read at the leader, or that was read and is incomplete. */
interface Doubt<T> {
  /** The state that was known before the doubt. */
  readonly known: T;
  /** If present, the history is frozen: it is neither served nor changed until it is complete or over. */
  readonly damage?: Damage;
  /** The time from which the history is certainly over, in milliseconds since 1970. */
  readonly until?: number;
}

interface Options {
  readonly name: 'test' | 'payment';
  /** Completes the sentence "its history is damaged: …". */
  readonly wayOut: string;
  /**
   * Reads the history at the leader. Nothing announces that a store was restored or that the leader has
   * changed, so the history is read again and again.
   */
  readonly examine: (id: string) => Promise<void>;
  readonly logger: Logger;
  readonly everyMs?: number | undefined;
  readonly clock?: Clock;
  /** The longest lifetime of a history, in milliseconds. */
  readonly lifeMs?: number;
}

/** Keeps the histories that are, or may be, incomplete. Only a read at the leader can tell which. */
export function createDoubts<T>(options: Options) {
  const { name, wayOut, examine, logger } = options;
  const { everyMs = EVERY_MS, clock = () => 0, lifeMs = Number.POSITIVE_INFINITY } = options;
  const doubts = new Map<string, Doubt<T>>();
  const looks = createJobQueue({ lanes: () => LANES, againMs: () => everyMs, onFault: () => {} });
  const timer = setInterval(() => {
    // Each history is read once per round.
    if (looks.size() === 0) for (const id of doubts.keys()) looks.add(id, () => examine(id));
  }, everyMs);

  function get(id: string): Doubt<T> | undefined {
    const doubt = doubts.get(id);
    if (doubt?.until !== undefined && clock() >= doubt.until) doubts.delete(id);
    return doubts.get(id);
  }

  return {
    get,
    all: () => doubts.entries(),
    /** Schedules a read of the history at the leader. What was known before the first doubt is kept. */
    suspect(id: string, known: T): void {
      doubts.set(id, { known, ...get(id) });
      void examine(id);
    },
    /** Records that the history was read and is incomplete. */
    freeze(id: string, known: T, damage: Damage): void {
      const before = get(id);
      if (!before?.damage)
        logger.error(
          { [`${name}_id`]: id, ...damage },
          `${name} is frozen because its history is damaged: ${wayOut}`,
        );
      doubts.set(id, { known, until: clock() + lifeMs, ...before, damage });
    },
    /** Records that the history is complete, or over. */
    clear(id: string): void {
      const isFrozen = doubts.get(id)?.damage !== undefined;
      doubts.delete(id);
      if (isFrozen) logger.info({ [`${name}_id`]: id }, `${name} is no longer frozen`);
    },
    frozen: (): readonly (readonly [id: string, damage: Damage])[] =>
      [...doubts.keys()].flatMap((id) => {
        const damage = get(id)?.damage;
        return damage ? [[id, damage] as const] : [];
      }),
    stop(): void {
      clearInterval(timer);
      void looks.stop();
    },
  };
}
