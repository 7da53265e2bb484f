import { findDamage } from '../../domain/chain.ts';
import { isEnd } from '../../domain/events.ts';
import type { EventLog, Recorded } from '../../ports/log.ts';
import { eachAtOnce } from './concurrently.ts';
import type { Source } from './source.ts';

/** What single nodes have lost of one subject, and still matters. */
export interface LostOnNodes<E> {
  /** Whole or not: everything that is on any node, in order. */
  readonly united: readonly Recorded<E>[];
  /** Whether nothing of that is missing. */
  readonly isWhole: boolean;
  readonly lost: readonly Recorded<E>[];
  readonly nodes: readonly string[];
}

/** What an event of this type stands for needs no events before it. */
const standsAlone = (type: string) =>
  isEnd(type) || type === 'HistoryRestored' || type === 'ReportWritten';

/** By id, what single nodes of a cluster have lost of a log; what was repaired since is not lost. */
export async function findLostOnNodes<E extends { readonly type: string }>(
  log: Pick<EventLog<E>, 'missingOnNodes' | 'readRemains'>,
): Promise<ReadonlyMap<string, LostOnNodes<E>>> {
  const missing = new Map<string, { lost: Recorded<E>[]; nodes: Set<string> }>();
  for (const { nodes, recorded } of await log.missingOnNodes()) {
    // What no release knows can be read nowhere.
    if (!('event' in recorded)) continue;
    const known = missing.get(recorded.id) ?? { lost: [], nodes: new Set() };
    known.lost.push(recorded);
    for (const node of nodes) known.nodes.add(node);
    missing.set(recorded.id, known);
  }
  const found = new Map<string, LostOnNodes<E>>();
  await eachAtOnce(missing, async ([id, { lost: all, nodes }]) => {
    const { events } = await log.readRemains(id);
    const united = unite(events, all);
    const last = united.findLast(({ event }) => standsAlone(event.type));
    const lost = all.filter(({ seq }) => seq >= (last?.seq ?? 0));
    if (lost.length === 0) return;
    const links = united.map((one) => ({ ...one, type: one.event.type }));
    found.set(id, { united, isWhole: !findDamage(links), lost, nodes: [...nodes] });
  });
  return found;
}

/** Of the reports, those whose test has not ended: what an end has left is erased. */
export async function findReportsLostOnNodes({
  tests,
  reports,
}: Pick<Source, 'tests' | 'reports'>) {
  const found = new Map(await findLostOnNodes(reports));
  await eachAtOnce([...found.keys()], async (id) => {
    const { events } = await tests.readRemains(id);
    if (events.some(({ event }) => isEnd(event.type))) found.delete(id);
  });
  return found;
}

/** An event whose writer did not know the one before it was written on a node that had lost that. */
function unite<E extends { readonly type: string }>(
  some: readonly Recorded<E>[],
  others: readonly Recorded<E>[],
): readonly Recorded<E>[] {
  const bySeq = new Map([...some, ...others].map((one) => [one.seq, one]));
  const sorted = [...bySeq.values()].sort((one, other) => one.seq - other.seq);
  let last = 0;
  return sorted.filter(({ seq, after = last, event }) => {
    if (after < last && !standsAlone(event.type)) return false;
    last = seq;
    return true;
  });
}
