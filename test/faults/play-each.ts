/** Plays each fault of a room once, as a test. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Room, Row } from './fault.ts';
import { type RoomName, table } from './table.ts';

/** Plays each row once, small, in one world. */
export function playEach(roomName: RoomName): void {
  describe(roomName, () => {
    let room: Room;
    beforeAll(async () => {
      room = await table[roomName].open({ env: { PATH: process.env.PATH } });
    });
    afterAll(() => room?.stop());

    const rows: readonly Row[] = table[roomName].rows;
    const small = rows.filter(({ isLong }) => !isLong);
    // Each has its full name, which `-t` finds. A table of tests would cut it.
    for (const { name, seed = 1 } of small)
      test(name, async () => {
        expect(await room.play(name, seed)).toEqual([]);
      });
  });
}
