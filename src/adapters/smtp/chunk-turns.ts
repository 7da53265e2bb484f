/** Lets concurrent uploads take turns, so that large emails leave processor time for everything else. */

import { readData } from './read-data.ts';
import type { Parser } from './smtp-connection.ts';

/** Number of chunks, from all uploads, that are read before the event loop turns to other work. */
const CHUNKS_A_ROUND = 4;

/**
 * Size in bytes below which a chunk does not wait, because it is a command rather than part of an upload.
 */
const SHORT = 4096;

/**
 * Lets uploads take turns at reading, one chunk each and a few per round of the event loop, so that many
 * large uploads at once leave time for everything else.
 */
export function createChunkTurns() {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      for (const go of waiting.splice(0, CHUNKS_A_ROUND)) go();
      if (waiting.length > 0) schedule();
    });
  }

  return (go: () => void): void => {
    waiting.push(go);
    schedule();
  };
}

export type TakeTurn = ReturnType<typeof createChunkTurns>;

/**
 * Makes a connection wait for its turn before the library and the rest of the code read a chunk. In the
 * meantime, its socket is paused, so that the client waits too.
 */
export function readInTurn(parser: Parser, takeTurn: TakeTurn): void {
  readData(parser);
  const write = parser._write.bind(parser);
  parser._write = (chunk: Buffer, encoding, next) => {
    const go = () => {
      // The connection is over, so nobody reads this chunk.
      if (parser.isClosed) chunk.fill(0);
      write(chunk, encoding, next);
    };
    if (chunk.length < SHORT) go();
    else takeTurn(go);
  };
}
