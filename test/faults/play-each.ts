import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNatsServer } from '../../src/setup/nats-server.mjs';
import type { Room, Row } from './fault.ts';
import { type RoomName, table } from './table.ts';

/** Each row once, small, in one world. */
export function playEach(name: RoomName): void {
  describe(name, () => {
    let room: Room;
    beforeAll(async () => {
      const env = { PATH: process.env.PATH, NATS_SERVER_BIN: findNatsServer().bin };
      room = await table[name].open({ env });
    });
    afterAll(() => room?.stop());

    const rows: readonly Row[] = table[name].rows;
    const small = rows.filter(({ isLong }) => !isLong);
    test.each(small)('$name', async (row) => {
      expect(await room.play(row.name, row.seed ?? 1)).toEqual([]);
    });
  });
}
