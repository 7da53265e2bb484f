/** Lets other work run before a long text is parsed. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Length in characters from which reading a record can take milliseconds. */
const LONG = 2048;

/** Waits for a turn of the event loop if a text is long, so that other requests are answered in between. */
export async function yieldFor(texts: readonly string[]): Promise<void> {
  if (texts.some(({ length }) => length > LONG)) await nextTurn();
}
