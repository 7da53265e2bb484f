/**
 * Waits 25 turns of the event loop, in which everything in progress in this thread advances as far as it can
 * on its own.
 */

import { setTimeout as pause } from 'node:timers/promises';

/** Turns of this thread: more than anything needs that waits for no event and no other process. */
const TURNS = 25;

/**
 * Lets everything in progress advance as far as it can on its own, turn by turn, even if one of them takes
 * long.
 */
export async function settleDown(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await pause(1);
}
