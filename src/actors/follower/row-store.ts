/**
 * Stores the state rows of all tests in as little memory as possible, counts them by status, and tells
 * listeners which rows change.
 */

import type { Row, StatusName } from '../../projection/row.ts';
import { type KeptRow, keepRow, packRow, rowOf, statusOf } from './kept-row.ts';

/** Number of rows that stay unpacked. The rows that changed last are the ones most likely to change next. */
const FRESH = 4096;

/**
 * Statuses of rows that will change again. Packing and unpacking them each time would double the cost of an
 * event.
 */
const CHANGING: readonly StatusName[] = ['waiting', 'processing'];

/** Stores rows by test, packed except for the newest of those that will change again. */
export function createRowStore() {
  const rows = new Map<string, KeptRow>();
  /**
   * A new row replaces the oldest one, which is packed. Packing many at once would delay everything else.
   */
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
    /** Calls the listener for each row that is set or removed. */
    onRow: (listener: (id: string) => void): void => void listeners.push(listener),
    /**
     * Returns the number of rows per status. They are counted as they change, since there may be a million.
     */
    counts: (): Readonly<Record<StatusName, number>> => ({ ...counts }),
    /** Sets a row; `undefined` removes it. */
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
