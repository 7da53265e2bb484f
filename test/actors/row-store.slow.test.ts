/** Tests with random operations that the compact store of test states loses nothing. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowStore } from '../../src/actors/follower/row-store.ts';
import { fold } from '../../src/projection/fold.ts';
import { type Row, toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';

const row = toRow(fold([anEvent('TestCreated')]), 1) as Row;

/** Number of rows, more than are kept unpacked. */
const MANY = 10_000;

test('the store contains exactly what was set and not removed, in any order', () => {
  const changes = fc.array(
    fc.record({ id: fc.integer({ min: 0, max: MANY }), gone: fc.boolean(), many: fc.boolean() }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(changes, (list) => {
      const store = createRowStore();
      const model = new Map<string, Row>();
      let seq = 0;
      const set = (id: number, next: Row | undefined) => {
        store.set(`${id}`, next);
        if (next) model.set(`${id}`, next);
        else model.delete(`${id}`);
      };
      for (const { id, gone, many } of list) {
        // Adds so many others that the earlier rows are packed.
        for (let other = 0; many && other < MANY / 2; other++) set(other, { ...row, seq: ++seq });
        set(id, gone ? undefined : { ...row, seq: ++seq });
        expect([store.has(`${id}`), store.get(`${id}`)]).toEqual([!gone, model.get(`${id}`)]);
      }
      const kept = [...store.entries()].map(([id, one]) => [id, one.seq] as const);
      expect(new Map(kept)).toEqual(new Map([...model].map(([id, one]) => [id, one.seq])));
      expect(kept).toHaveLength(model.size);
    }),
    { numRuns: 30 },
  );
});
