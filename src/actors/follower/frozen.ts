import type { Damage } from '../../domain/chain.ts';
import { testDamaged } from '../../domain/errors.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Row } from '../../projection/row.ts';
import type { Logger } from '../../telemetry/logger.ts';

interface Frozen {
  readonly damage: Damage;
  /** From when on the test is deleted for certain, in milliseconds since 1970. */
  readonly until: number;
}

interface Ports {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The longest life of a test, in milliseconds. */
  readonly lifeMs: number;
}

/**
 * Tests whose history is not whole: they answer nothing and take nothing, until it is whole or they have
 * ended. A suspect is one whose history has yet to be read at the leader.
 */
export function frozenTests({ clock, logger, lifeMs }: Ports) {
  const frozen = new Map<string, Frozen>();
  /** What was known of each before the damage. */
  const suspects = new Map<string, Row | undefined>();

  function isFrozen(id: string): boolean {
    const known = frozen.get(id);
    if (known && clock() >= known.until) frozen.delete(id);
    return frozen.has(id);
  }

  return {
    isFrozen,
    /** @throws ServiceError `test_damaged` */
    refuse(id: string): void {
      if (isFrozen(id)) throw testDamaged();
    },
    suspect(id: string, row: Row | undefined): void {
      if (!suspects.has(id)) suspects.set(id, row);
    },
    isSuspect: (id: string): boolean => suspects.has(id),
    /** Those to be read at the leader: suspects, and what may be whole meanwhile. */
    *ids(): Generator<string> {
      yield* suspects.keys();
      for (const id of frozen.keys()) if (isFrozen(id)) yield id;
    },
    rowBefore: (id: string): Row | undefined => suspects.get(id),
    /** Its history is whole, or it has ended. */
    clear(id: string): void {
      suspects.delete(id);
      if (frozen.delete(id)) logger.info({ test_id: id }, 'test is no longer frozen');
    },
    freeze(id: string, damage: Damage): void {
      suspects.delete(id);
      const known = frozen.get(id);
      if (!known)
        logger.error(
          { test_id: id, ...damage },
          'test is frozen: its history is damaged: `npm run operate -- replay end` ends it',
        );
      frozen.set(id, { damage, until: known?.until ?? clock() + lifeMs });
    },
    /** What a view has shown to be there, and is not; `lastSeq` is the end of what there is. */
    missingTail(id: string, lastSeq: number): Damage | undefined {
      const damage = frozen.get(id)?.damage;
      return damage?.problem === 'tail' && lastSeq < damage.seq ? damage : undefined;
    },
    *damaged(): Generator<readonly [id: string, damage: Damage]> {
      for (const [id, { damage }] of frozen) if (isFrozen(id)) yield [id, damage];
    },
  };
}
