import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters of a record from which reading it can take milliseconds. */
const LONG = 2048;

/** Waits for a turn of the event loop of its own for what is long, so that a poll can come between. */
export async function yieldFor(texts: readonly string[]): Promise<void> {
  if (texts.some(({ length }) => length > LONG)) await nextTurn();
}
