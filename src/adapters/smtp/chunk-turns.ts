import { readData } from './read-data.ts';
import type { Parser } from './smtp-connection.ts';

/** Chunks of all uploads that are read before the event loop turns to something else. */
const CHUNKS_A_ROUND = 4;

/** What is shorter is no upload, in bytes: commands go on at once. */
const SHORT = 4096;

/**
 * Lets uploads read in turn, a chunk each, a few in one round of the event loop: many large ones at
 * once leave time for everything else.
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
 * Makes a connection wait for its turn before each chunk is read, by the library and by all behind it.
 * Meanwhile its socket is paused, so that the client waits too.
 */
export function readInTurn(parser: Parser, takeTurn: TakeTurn): void {
  readData(parser);
  const write = parser._write.bind(parser);
  parser._write = (chunk: Buffer, encoding, next) => {
    const go = () => {
      // The connection is over: nobody reads this one.
      if (parser.isClosed) chunk.fill(0);
      write(chunk, encoding, next);
    };
    if (chunk.length < SHORT) go();
    else takeTurn(go);
  };
}
