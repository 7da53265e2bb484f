import { PassThrough } from 'node:stream';
import { freeCopied, keptBefore, takeOutKept } from './chunk-memory.ts';
import type { Parser, SmtpConnection } from './smtp-connection.ts';

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
 * The content of a mail comes chunk by chunk, each once and where it is: a stream of bytes joins those that wait, and
 * leaves copies behind that nobody overwrites.
 */
export function keepChunks(parser: Parser): void {
  const start = parser.startDataMode.bind(parser);
  parser.startDataMode = (maxBytes) => {
    start(maxBytes);
    const whole = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
    const content = Object.assign(whole, { byteLength: 0, sizeExceeded: false });
    parser._dataStream = content;
    return content;
  };
}

/**
 * Makes a connection wait for its turn before each chunk is read, by the library and by all behind it.
 * Meanwhile its socket is paused, so that the client waits too.
 */
export function readInTurn(connection: SmtpConnection, takeTurn: TakeTurn): void {
  function wrap(parser: Parser) {
    keepChunks(parser);
    const write = parser._write.bind(parser);
    parser._write = (chunk, encoding, next) => {
      if (chunk.length < SHORT) write(chunk, encoding, next);
      else takeTurn(() => writeLarge(chunk, encoding, next));
    };
    const writeLarge: typeof write = (chunk, encoding, next) => {
      const before = keptBefore(parser);
      const bytes = before + chunk.length;
      write(chunk, encoding, next);
      takeOutKept(parser, bytes);
      if (before > 0) freeCopied(chunk);
    };
    return parser;
  }
  // STARTTLS replaces it.
  const create = connection._createParser.bind(connection);
  connection._createParser = () => wrap(create());
  if (connection._parser) wrap(connection._parser);
}
