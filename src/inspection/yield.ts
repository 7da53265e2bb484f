/** Lets other work run before a long text is read. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** From this many characters on, reading a record can take milliseconds. */
const LONG = 2048;

/** Waits for a turn of the event loop if a text is long, so that a poll can come in between. */
export async function yieldFor(texts: readonly string[]): Promise<void> {
  if (texts.some(({ length }) => length > LONG)) await nextTurn();
}
