import { setTimeout as pause } from 'node:timers/promises';

/** Turns of this thread: more than anything takes that waits for no event and no other process. */
const TURNS = 25;

/** Lets what is under way come as far as it can by itself: turn by turn, also where one of them takes long. */
export async function settleDown(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await pause(1);
}
