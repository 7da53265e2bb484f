import type { Row, StatusName } from '../../projection/row.ts';
import { type KeptRow, keepRow, packRow, rowOf, statusOf } from './kept-row.ts';

/** Rows kept unpacked: those that changed last are the ones that change next. */
const FRESH = 4096;

/** Rows that change again: packed and unpacked each time, an event would cost twice as much. */
const CHANGING: readonly StatusName[] = ['waiting', 'processing'];

/** Rows by test, packed but for the newest of those that change again. */
export function createRowStore() {
  const rows = new Map<string, KeptRow>();
  /** Each takes the place of the oldest, which is packed: many at once would hold up everything else. */
  const fresh: KeptRow[] = [];
  let next = 0;
  const listeners: ((id: string) => void)[] = [];
  const counts: Record<StatusName, number> = {
    waiting: 0,
    processing: 0,
    ready: 0,
    rejected_or_not_received: 0,
    analysis_failed: 0,
  };

  function addFresh(kept: KeptRow): void {
    const oldest = fresh[next];
    if (oldest) packRow(oldest);
    fresh[next] = kept;
    next = (next + 1) % FRESH;
  }

  function change(kept: KeptRow, row: Row): void {
    const wasPacked = kept.row === null;
    kept.row = row;
    if (!CHANGING.includes(row.status)) packRow(kept);
    else if (wasPacked) addFresh(kept);
  }

  function add(id: string, row: Row): void {
    const kept = keepRow(row);
    rows.set(id, kept);
    addFresh(kept);
  }

  return {
    has: (id: string): boolean => rows.has(id),
    get(id: string): Row | undefined {
      const kept = rows.get(id);
      return kept && rowOf(kept);
    },
    /** Calls back for each row that is set or removed. */
    onRow: (listener: (id: string) => void): void => void listeners.push(listener),
    /** Rows by their status. Counted as they change: there may be a million. */
    counts: (): Readonly<Record<StatusName, number>> => ({ ...counts }),
    /** `undefined` removes it. */
    set(id: string, row: Row | undefined): void {
      for (const listener of listeners) listener(id);
      const kept = rows.get(id);
      if (kept) counts[statusOf(kept)] -= 1;
      if (row) counts[row.status] += 1;
      if (kept && row) change(kept, row);
      else if (row) add(id, row);
      else rows.delete(id);
    },
    *entries(): Generator<readonly [string, Row]> {
      for (const [id, kept] of rows) yield [id, rowOf(kept)] as const;
    },
  };
}
