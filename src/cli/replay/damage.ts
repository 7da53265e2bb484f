import type { Damage } from '../../domain/chain.ts';
import { isEnd, type TestEvent } from '../../domain/events.ts';
import { isTestId } from '../../domain/ids.ts';
import type { StatusView } from '../../domain/status-view.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import { eachAtOnce } from './concurrently.ts';
import type { LostOnNodes } from './node-losses.ts';
import type { Progress } from './progress.ts';
import { scan } from './scan.ts';
import type { RebuildableSource } from './source.ts';

/** A subject whose history is not whole. */
export interface DamagedHistory {
  readonly subject: string;
  /** `lost_on_node`: single nodes of a cluster have lost it. */
  readonly problem: Damage['problem'] | 'lost_on_node';
  readonly seq: number;
  /** Those that have. */
  readonly nodes?: readonly string[];
}

interface Options<E> {
  /** `tests`, `reports` or `payments`. */
  readonly name: string;
  readonly progress: Progress;
  readonly onEvent?: (recorded: Recorded<E>) => void;
}

/** Reads a whole log, and gives the subjects whose messages do not follow on one another. */
export async function findDamaged<E extends { readonly type: string }>(
  log: Pick<EventLog<E>, 'follow' | 'readRemains' | 'counts'>,
  { name, progress, onEvent }: Options<E>,
): Promise<readonly DamagedHistory[]> {
  const ends = new Map<string, number>();
  const suspects = new Set<string>();
  // Taken first: what comes in meanwhile is read, and not missing.
  const unread = new Map(await log.counts());
  const note = (id: string) => void unread.set(id, (unread.get(id) ?? 0) - 1);
  await scan(log, {
    name,
    progress,
    onEvent(recorded) {
      const { id, seq, after = 0, event } = recorded;
      note(id);
      if (!isEnd(event.type) && after !== (ends.get(id) ?? 0)) suspects.add(id);
      ends.set(id, seq);
      onEvent?.(recorded);
    },
    onPoison({ id }) {
      note(id);
      suspects.add(id);
    },
  });
  // A message that cannot be read from the disk is not delivered at all.
  for (const [id, left] of unread) if (left > 0) suspects.add(id);
  const found: DamagedHistory[] = [];
  // What was erased meanwhile has ended: the history as it is now decides.
  await eachAtOnce(suspects, async (id) => {
    const { damage } = await log.readRemains(id);
    if (damage) found.push({ subject: `${name}.${id}`, ...damage });
  });
  return found;
}

/** Histories that lack something on single nodes of a cluster alone. */
export const toDamaged = <E>(
  name: string,
  lost: ReadonlyMap<string, LostOnNodes<E>>,
): readonly DamagedHistory[] =>
  [...lost].map(
    ([
      id,
      {
        lost: [first],
        nodes,
      },
    ]) => ({
      ...{ subject: `${name}.${id}`, problem: 'lost_on_node', seq: first?.seq ?? 0, nodes },
    }),
  );

/**
 * As `findDamaged`, of the tests, and those whose last messages are missing: the bucket `status` knows
 * more of them than the log does.
 */
export async function findDamagedTests(
  source: Pick<RebuildableSource, 'tests' | 'statusViews' | 'absentViews'>,
  options: Omit<Options<TestEvent>, 'name'> & { readonly now: number },
) {
  const { tests } = source;
  const ends = new Map<string, number>();
  const damaged = [
    ...(await findDamaged(tests, {
      ...options,
      name: 'tests',
      onEvent(recorded) {
        ends.set(recorded.id, recorded.seq);
        options.onEvent?.(recorded);
      },
    })),
  ];
  const known = new Set(damaged.map(({ subject }) => subject));
  const lines = new Map<string, StatusView>();
  if (!(await source.absentViews()).includes('status'))
    await source.statusViews.scan((id, line) => isTestId(id) && lines.set(id, line));
  await eachAtOnce(lines, async ([id, { seq, expires_at }]) => {
    const subject = `tests.${id}`;
    if (known.has(subject) || (ends.get(id) ?? 0) >= seq || options.now >= Date.parse(expires_at))
      return;
    // Stored since the log was read, on a live service.
    if ((await tests.readRemains(id)).end < seq) damaged.push({ subject, problem: 'tail', seq });
  });
  return { damaged, lines };
}
