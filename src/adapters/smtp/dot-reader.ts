/** Removes dot-stuffing from the content of an email, and finds its end (RFC 5321 §4.5.2). */

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/**
 * States of the reader after the last byte that it has read. A dot at the beginning of a line is withheld
 * until the bytes after it show what it means.
 */
const TEXT = 0;
const AFTER_CR = 1;
/** After CRLF, or at the beginning of the content. */
const AT_LINE = 2;
/** After a bare LF: a dot there does not end the email. */
const AT_BARE_LINE = 3;
const AT_LINE_DOT = 4;
const AT_BARE_DOT = 5;
const AT_LINE_DOT_CR = 6;

/** The only place where a dot in the content means something: at the beginning of a line. */
const LINE_WITH_DOT = Buffer.from('\n.');

/**
 * Number of bytes after such a line that are read without searching for the next one, because a search takes
 * longer than reading a few bytes, and an email may consist of such lines alone.
 */
const BEFORE_SEARCH = 64;

/** The text of the email in one chunk. */
export interface ReadChunk {
  /** Bytes withheld from earlier chunks that turned out to be text. */
  readonly before: Buffer | null;
  /** Length of the text at the beginning of the chunk. */
  readonly length: number;
  /** Where the line with the final dot ended; null if there was none. */
  readonly end: number | null;
}

/**
 * Removes the dots that a client puts before lines (RFC 5321 §4.5.2), chunk by chunk and in place, in one
 * pass however many lines there are. Only `CRLF.CRLF` ends an email. A dot before anything other than a dot
 * stays, and so do line ends that consist of one byte.
 */
export function createDotReader(): (chunk: Buffer) => ReadChunk {
  let place = AT_LINE;

  return (chunk) => {
    let isCarried = place >= AT_LINE_DOT;
    let before: Buffer | null = null;
    let length = 0;
    let searchFrom = 0;

    const keepWithheld = () => {
      const withheld = place === AT_LINE_DOT_CR ? '.\r' : '.';
      if (isCarried) before = Buffer.from(withheld);
      else length += chunk.write(withheld, length, 'latin1');
    };

    /** Keeps all text until the next line with a dot, and returns where that is. */
    const keepUntilDot = (from: number): number => {
      const at = chunk.indexOf(LINE_WITH_DOT, from);
      const end = at === -1 ? chunk.length : at;
      searchFrom = end + BEFORE_SEARCH;
      if (end - from < 2) return from;
      const [secondLast, last] = [chunk[end - 2], chunk[end - 1]];
      if (length < from) chunk.copyWithin(length, from, end);
      length += end - from;
      if (last === CR) place = AFTER_CR;
      else if (last === LF) place = secondLast === CR ? AT_LINE : AT_BARE_LINE;
      else place = TEXT;
      return end;
    };

    for (let from = 0; from < chunk.length; from++) {
      if (place < AT_LINE && from >= searchFrom) from = keepUntilDot(from);
      if (from === chunk.length) break;
      const byte = chunk[from] as number;
      if (place >= AT_LINE) {
        if (place <= AT_BARE_LINE && byte === DOT) {
          place = place === AT_LINE ? AT_LINE_DOT : AT_BARE_DOT;
          continue;
        }
        if (place === AT_LINE_DOT && byte === CR) {
          place = AT_LINE_DOT_CR;
          continue;
        }
        if (place === AT_LINE_DOT_CR && byte === LF) {
          place = AT_LINE;
          return { before, length, end: from + 1 };
        }
        const isEscape = byte === DOT && place !== AT_LINE_DOT_CR;
        if (place >= AT_LINE_DOT && !isEscape) keepWithheld();
        isCarried = false;
      }
      chunk[length] = byte;
      length += 1;
      if (byte === CR) place = AFTER_CR;
      else if (byte === LF) place = place === AFTER_CR ? AT_LINE : AT_BARE_LINE;
      else place = TEXT;
    }
    return { before, length, end: null };
  };
}
