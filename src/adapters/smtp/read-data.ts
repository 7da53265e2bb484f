import { PassThrough } from 'node:stream';
import type { SMTPServerDataStream } from 'smtp-server';
import { giveToReader, wipeRead } from './chunk-memory.ts';
import { createDotReader } from './dot-reader.ts';
import type { Parser } from './smtp-connection.ts';

type Content = SMTPServerDataStream;

/**
 * Reads the content of an email instead of the library, which gives up its turn at each line that begins with
 * a dot. The content arrives chunk by chunk, each once and in place. A byte stream would join waiting chunks,
 * and leave copies behind that nobody overwrites.
 */
export function readData(parser: Parser): void {
  const start = parser.startDataMode.bind(parser);
  parser.startDataMode = (maxBytes) => {
    start(maxBytes);
    const whole = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1 });
    const content = Object.assign(whole, { byteLength: 0, sizeExceeded: false });
    parser._dataStream = content;
    parser._feedDataStream = createFeed(parser, content);
    return content;
  };
}

function createFeed(parser: Parser, content: Content): Parser['_feedDataStream'] {
  const readDots = createDotReader();
  let unread: Buffer[] = [];
  // The reader has closed the content before reading all of it.
  content.once('close', () => unread.forEach(wipeRead));

  function write(text: Buffer): boolean {
    if (!content.writable) {
      wipeRead(text);
      return true;
    }
    if (content.readableLength + content.writableLength === 0) unread = [];
    unread.push(text);
    return content.write(text);
  }

  return (chunk, done) => {
    giveToReader(chunk);
    const { before, length, end } = readDots(chunk);
    const rest = end === null ? null : Buffer.from(chunk.subarray(end));
    chunk.fill(0, length);
    const text = chunk.subarray(0, length);
    if (before) write(before);
    const isFlowing = length === 0 || write(text);
    if (rest) parser._endDataMode(false, rest, done);
    else if (isFlowing || content.destroyed) done();
    else onceDrained(content, done);
  };
}

/** Calls `done` when the stream has drained or closed, because a destroyed stream never drains. */
function onceDrained(content: Content, done: () => void): void {
  const go = () => {
    content.off('drain', go);
    content.off('close', go);
    done();
  };
  content.once('drain', go);
  content.once('close', go);
}
