import type { Damage } from '../../domain/chain.ts';
import { isEnd } from '../../domain/events.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import { eachAtOnce } from './concurrently.ts';
import type { Progress } from './progress.ts';
import { scan } from './scan.ts';

/** A subject whose history is not whole. */
export interface DamagedHistory extends Damage {
  readonly subject: string;
}

interface Options<E> {
  /** `tests`, `reports` or `payments`. */
  readonly name: string;
  readonly progress: Progress;
  readonly onEvent?: (recorded: Recorded<E>) => void;
}

/** Reads a whole log, and gives the subjects whose messages do not follow on one another. */
export async function findDamaged<E extends { readonly type: string }>(
  log: Pick<EventLog<E>, 'follow' | 'readRemains'>,
  { name, progress, onEvent }: Options<E>,
): Promise<readonly DamagedHistory[]> {
  const ends = new Map<string, number>();
  const suspects = new Set<string>();
  await scan(log, {
    name,
    progress,
    onEvent(recorded) {
      const { id, seq, after = 0, event } = recorded;
      if (!isEnd(event.type) && after !== (ends.get(id) ?? 0)) suspects.add(id);
      ends.set(id, seq);
      onEvent?.(recorded);
    },
    onPoison: ({ id }) => void suspects.add(id),
  });
  const found: DamagedHistory[] = [];
  // What was erased meanwhile has ended: the history as it is now decides.
  await eachAtOnce(suspects, async (id) => {
    const { damage } = await log.readRemains(id);
    if (damage) found.push({ subject: `${name}.${id}`, ...damage });
  });
  return found;
}
