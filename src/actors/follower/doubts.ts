import type { Damage } from '../../domain/chain.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createJobQueue } from '../job-queue.ts';

/** Between two looks at what is in doubt, in milliseconds. */
const EVERY_MS = 2500;

/** Histories read at once: thousands may be damaged, and others wait for the log, too. */
const LANES = 16;

/** A history that has to be read at the leader, or was read and is not whole. */
interface Doubt<T> {
  /** What was known before. */
  readonly known: T;
  /** It is frozen: it answers nothing and takes nothing until it is whole or over. */
  readonly damage?: Damage;
  /** From when on it is over for certain, in milliseconds since 1970. */
  readonly until?: number;
}

interface Options {
  readonly name: 'test' | 'payment';
  /** Completes "its history is damaged: …". */
  readonly wayOut: string;
  /** Reads the history at the leader. A store that was restored or another leader tells nobody, so it is read again and again. */
  readonly examine: (id: string) => Promise<void>;
  readonly logger: Logger;
  readonly everyMs?: number | undefined;
  readonly clock?: Clock;
  /** The longest life of such a history, in milliseconds. */
  readonly lifeMs?: number;
}

/** The histories that are not whole, or of which only a read at the leader says whether they are. */
export function createDoubts<T>(options: Options) {
  const { name, wayOut, examine, logger } = options;
  const { everyMs = EVERY_MS, clock = () => 0, lifeMs = Number.POSITIVE_INFINITY } = options;
  const doubts = new Map<string, Doubt<T>>();
  const looks = createJobQueue({ lanes: () => LANES, againMs: () => everyMs, onFault: () => {} });
  const timer = setInterval(() => {
    // Each is read once in a round.
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
    /** Reads it at the leader; what was known before the first doubt stays. */
    suspect(id: string, known: T): void {
      doubts.set(id, { known, ...get(id) });
      void examine(id);
    },
    /** It was read, and is not whole. */
    freeze(id: string, known: T, damage: Damage): void {
      const before = get(id);
      if (!before?.damage)
        logger.error(
          { [`${name}_id`]: id, ...damage },
          `${name} is frozen: its history is damaged: ${wayOut}`,
        );
      doubts.set(id, { known, until: clock() + lifeMs, ...before, damage });
    },
    /** It is whole, or over. */
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
