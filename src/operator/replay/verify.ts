/** Finds incomplete histories and missing reports in the log. */

import { createRowStore } from '../../actors/follower/row-store.ts';
import { createHistories, type Damage } from '../../domain/history.ts';
import { isTestId } from '../../domain/ids.ts';
import type { StatusView } from '../../domain/status-view.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { evolve, fold } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import { eachAtOnce } from './concurrently.ts';
import type { Progress } from './progress.ts';
import { scanWhole } from './scan.ts';
import type { Source } from './source.ts';

/** A subject whose history is incomplete. */
export interface DamagedHistory extends Damage {
  readonly subject: string;
}

interface Options<E> {
  /** The name of the log: `tests` or `payments`. */
  readonly name: string;
  readonly progress: Progress;
  readonly onEvent?: (recorded: Recorded<E>) => void;
}

/** Reads a whole log and returns the subjects in which a message does not follow from the preceding one. */
export async function findDamaged<E extends { readonly type: string }>(
  log: Pick<EventLog<E>, 'follow' | 'readRemains' | 'counts'>,
  { name, progress, onEvent }: Options<E>,
): Promise<readonly DamagedHistory[]> {
  const histories = createHistories();
  const unread = await scanWhole(log, {
    ...{ name, progress },
    onEvent(recorded) {
      const { id, seq, after, event } = recorded;
      histories.add(id, { seq, after, type: event.type });
      onEvent?.(recorded);
    },
    onPoison: ({ id, seq, fault }) => histories.add(id, { seq, fault }),
  });
  const suspects = new Set([...histories.damaged(), ...unread]);
  const found: DamagedHistory[] = [];
  // A test that was erased in the meantime has ended, so its present history decides.
  await eachAtOnce(suspects, async (id) => {
    const { damage } = await log.readRemains(id);
    if (damage) found.push({ subject: `${name}.${id}`, ...damage });
  });
  return found;
}

interface Context {
  /** The present time, in milliseconds since 1970. */
  readonly now: number;
  readonly progress: Progress;
}

/** Returns every incomplete history, and every report that a test names and that is missing. */
export async function verify(
  source: Pick<Source, 'tests' | 'reports' | 'payments' | 'statusViews'>,
  { now, progress }: Context,
): Promise<readonly DamagedHistory[]> {
  // Tests are stored as compactly as in a replica, because there may be a million of them.
  const rows = createRowStore();
  const ends = new Map<string, number>();
  const damaged = await findDamaged(source.tests, {
    ...{ name: 'tests', progress },
    onEvent({ id, seq, event }) {
      const row = rows.get(id);
      rows.set(id, toRow(row ? evolve(toState(row), event) : fold([event]), seq));
      ends.set(id, seq);
    },
  });
  const known = new Set(damaged.map(({ subject }) => subject));
  return [
    ...damaged,
    ...(await findTails(source, { ends, known, now })),
    ...(await findLostReports(source, { rows: rows.entries(), known, now })),
    ...(await findDamaged(source.payments, { name: 'payments', progress })),
  ];
}

/**
 * Returns the damage if messages at the end of a test were lost. They leave no gap, and only the bucket
 * `status` has seen them. @returns `undefined` if the bucket knows no more than the log
 */
export function lostTailOf(
  line: StatusView | undefined,
  end: number,
  now: number,
): Damage | undefined {
  const isMissing = line && line.seq > end && now < Date.parse(line.expires_at);
  return isMissing ? { problem: 'tail', seq: line.seq } : undefined;
}

interface Known extends Pick<Context, 'now'> {
  /** Subjects that are already known to be damaged. */
  readonly known: ReadonlySet<string>;
}

async function findTails(
  { tests, statusViews }: Pick<Source, 'tests' | 'statusViews'>,
  { ends, known, now }: Known & { readonly ends: ReadonlyMap<string, number> },
): Promise<readonly DamagedHistory[]> {
  const lines = new Map<string, StatusView>();
  await statusViews.scan((id, line) => {
    if (isTestId(id) && lostTailOf(line, ends.get(id) ?? 0, now)) lines.set(id, line);
  });
  const found: DamagedHistory[] = [];
  await eachAtOnce(lines, async ([id, line]) => {
    const subject = `tests.${id}`;
    // On a live service, events may have been stored since the log was read.
    const tail = lostTailOf(line, (await tests.readRemains(id)).end, now);
    if (tail && !known.has(subject)) found.push({ subject, ...tail });
  });
  return found;
}

/** Returns the tests in `ready` whose report is missing. */
async function findLostReports(
  { reports }: Pick<Source, 'reports'>,
  { rows, known, now }: Known & { readonly rows: Iterable<readonly [id: string, row: Row]> },
): Promise<readonly DamagedHistory[]> {
  const found: DamagedHistory[] = [];
  await eachAtOnce(rows, async ([id, row]) => {
    if (known.has(`tests.${id}`) || row.status !== 'ready' || now >= expiry(row)) return;
    const seq = row.context.reportSeq;
    if (seq !== null && (await reports.readAt(seq))?.id !== id)
      found.push({ subject: `reports.${id}`, problem: 'tail', seq });
  });
  return found;
}
