import type { Row } from '../../projection/row.ts';
import { type PackedRow, packRow, unpackRow } from './packed-row.ts';

/** Rows kept unpacked: those that changed last are the ones that change next and are asked for. */
const FRESH = 4096;

/** Rows by test. All but the newest are packed: packing costs as much as folding an event. */
export function createRowStore() {
  const fresh = new Map<string, Row>();
  const packed = new Map<string, PackedRow | Row>();

  function settle(): void {
    for (const [id, row] of fresh) packed.set(id, packRow(row));
    fresh.clear();
  }

  function get(id: string): Row | undefined {
    const row = fresh.get(id);
    if (row) return row;
    const kept = packed.get(id);
    return kept && unpackRow(kept);
  }

  return {
    has: (id: string): boolean => fresh.has(id) || packed.has(id),
    get,
    /** `undefined` removes it. */
    set(id: string, row: Row | undefined): void {
      if (!row) {
        fresh.delete(id);
        packed.delete(id);
        return;
      }
      fresh.set(id, row);
      if (fresh.size > FRESH) settle();
    },
    /** Each test once, as it is kept. */
    *kept(): Generator<readonly [string, PackedRow | Row]> {
      yield* fresh;
      for (const entry of packed) if (!fresh.has(entry[0])) yield entry;
    },
  };
}
