import type { Row, StatusName } from '../../projection/row.ts';
import { type PackedRow, packRow, statusOf, unpackRow } from './packed-row.ts';

/** Rows kept unpacked: those that changed last are the ones that change next and are asked for. */
const FRESH = 4096;

/** Packed together when there are more: all of them at once would hold up everything else for tens of milliseconds. */
const SLICE = 64;

/** Rows by test. All but the newest are packed: packing costs as much as folding an event. */
export function createRowStore() {
  const fresh = new Map<string, Row>();
  const packed = new Map<string, PackedRow | Row>();
  const listeners: ((id: string) => void)[] = [];
  const counts: Record<StatusName, number> = {
    waiting: 0,
    processing: 0,
    ready: 0,
    rejected_or_not_received: 0,
    analysis_failed: 0,
  };

  function settle(): void {
    const oldest = fresh.entries().take(SLICE);
    for (const [id, row] of [...oldest]) {
      packed.set(id, packRow(row));
      fresh.delete(id);
    }
  }

  const find = (id: string): PackedRow | Row | undefined => fresh.get(id) ?? packed.get(id);

  function get(id: string): Row | undefined {
    const kept = find(id);
    return kept && unpackRow(kept);
  }

  return {
    has: (id: string): boolean => fresh.has(id) || packed.has(id),
    get,
    /** Calls back for each row that is set or removed. */
    onRow: (listener: (id: string) => void): void => void listeners.push(listener),
    /** Rows by their status. Counted as they change: there may be a million. */
    counts: (): Readonly<Record<StatusName, number>> => ({ ...counts }),
    /** `undefined` removes it. */
    set(id: string, row: Row | undefined): void {
      for (const listener of listeners) listener(id);
      const before = find(id);
      if (before) counts[statusOf(before)] -= 1;
      if (row) counts[row.status] += 1;
      if (!row) {
        fresh.delete(id);
        packed.delete(id);
        return;
      }
      fresh.set(id, row);
      if (fresh.size >= FRESH + SLICE) settle();
    },
    /** Each test once, as it is kept. */
    *kept(): Generator<readonly [string, PackedRow | Row]> {
      yield* fresh;
      for (const entry of packed) if (!fresh.has(entry[0])) yield entry;
    },
  };
}
