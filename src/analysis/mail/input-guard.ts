/**
 * Checks the bytes of an email, as they arrive or at once, against the limits on header size and line length,
 * and for bare line endings and NULs.
 */

import {
  MAX_BODY_LINE_BYTES,
  MAX_FIELD_BYTES,
  MAX_HEADER_BLOCK_BYTES,
  MAX_HEADER_FIELDS,
  MAX_HEADER_LINES,
} from '../limits.ts';

/** The findings about the bytes received so far. Line lengths exclude the line ending. */
export interface GuardResult {
  readonly longestHeaderLineBytes: number;
  readonly longestBodyLineBytes: number;
  /** Offset of the body in bytes. Null until the header block has ended. */
  readonly bodyOffset: number | null;
  /** True if there is a CR or LF on its own (RFC 5321 §2.3.8). */
  readonly bareNewlines: boolean;
  readonly nul: boolean;
  /** The first header limit that was exceeded. The email is then refused with 554 5.6.0. */
  readonly headerFault:
    | 'header_block_too_large'
    | 'too_many_fields'
    | 'too_many_lines'
    | 'field_too_large'
    | null;
  /**
   * True if a body line is so long that hashing would take too much time. DKIM and ARC are then not
   * evaluated.
   */
  readonly bodyLineTooLong: boolean;
}

export interface InputGuard {
  push(chunk: Uint8Array): void;
  /** Checks a chunk against the header limits only, up to the end of the header block. */
  pushHeader(chunk: Uint8Array): void;
  result(): GuardResult;
}

/** Returns the result for a complete email. */
export function guardInput(bytes: Uint8Array): GuardResult {
  const guard = createInputGuard();
  guard.push(bytes);
  return guard.result();
}

const NUL = 0x00;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * Creates a guard that checks an email while it arrives, in whatever chunks. It needs one pass, and keeps
 * only a few numbers in memory.
 */
export const createInputGuard = (): InputGuard => {
  let total = 0;
  let lineBytes = 0;
  let previous = -1;
  let bodyOffset: number | null = null;
  let fields = 0;
  let headerLines = 0;
  let fieldBytes = 0;
  let longestHeaderLine = 0;
  let longestBodyLine = 0;
  let bareNewlines = false;
  let nul = false;
  let headerFault: GuardResult['headerFault'] = null;

  const fault = (what: NonNullable<GuardResult['headerFault']>) => {
    headerFault ??= what;
  };

  /** Begins a header line: a new field, unless the line continues the last one or is empty. */
  const beginHeaderLine = (byte: number | undefined) => {
    if (byte === SPACE || byte === TAB || byte === LF || byte === CR) return;
    fieldBytes = 0;
    if (++fields > MAX_HEADER_FIELDS) fault('too_many_fields');
  };

  /** Counts bytes of one header line, including its line ending. */
  const countHeader = (bytes: number) => {
    const leftInField = MAX_FIELD_BYTES - fieldBytes;
    const leftInBlock = MAX_HEADER_BLOCK_BYTES - total;
    if (bytes > Math.min(leftInField, leftInBlock))
      fault(leftInField <= leftInBlock ? 'field_too_large' : 'header_block_too_large');
    fieldBytes += bytes;
  };

  const endLine = () => {
    const length = lineBytes - (previous === CR ? 1 : 0);
    if (bodyOffset !== null) longestBodyLine = Math.max(longestBodyLine, length);
    else if (length > 0) {
      longestHeaderLine = Math.max(longestHeaderLine, length);
      if (++headerLines > MAX_HEADER_LINES) fault('too_many_lines');
    } else bodyOffset = total + 1;
    lineBytes = 0;
    total++;
    previous = LF;
  };

  /**
   * Returns whether the piece of a line that begins at `at` contains a CR or LF on its own. The piece ends at
   * the LF at `end`, or with the chunk.
   */
  const hasBareNewline = (chunk: Uint8Array, at: number, end: number): boolean => {
    if (at < end && previous === CR) return true;
    const cr = chunk.indexOf(CR, at);
    if (cr !== -1 && cr < end - 1) return true;
    return end < chunk.length && (at < end ? chunk[end - 1] : previous) !== CR;
  };

  /** Processes a line, or the part of it in this chunk, that begins at `at`. Returns where the next begins. */
  const pushLine = (chunk: Uint8Array, at: number): number => {
    const lf = chunk.indexOf(LF, at);
    const end = lf === -1 ? chunk.length : lf;
    const next = lf === -1 ? end : end + 1;
    bareNewlines ||= hasBareNewline(chunk, at, end);
    if (bodyOffset === null) {
      if (lineBytes === 0) beginHeaderLine(chunk[at]);
      countHeader(next - at);
    }
    if (at < end) previous = chunk[end - 1] as number;
    lineBytes += end - at;
    total += end - at;
    if (lf !== -1) endLine();
    return next;
  };

  const push = (chunk: Uint8Array) => {
    nul ||= chunk.includes(NUL);
    for (let at = 0; at < chunk.length; ) at = pushLine(chunk, at);
  };

  const pushHeader = (chunk: Uint8Array) => {
    for (let at = 0; at < chunk.length && bodyOffset === null; ) at = pushLine(chunk, at);
  };

  const result = (): GuardResult => {
    const rest = lineBytes - (previous === CR ? 1 : 0);
    const inBody = bodyOffset !== null;
    const longestBody = inBody ? Math.max(longestBodyLine, rest) : longestBodyLine;
    return {
      longestHeaderLineBytes: inBody ? longestHeaderLine : Math.max(longestHeaderLine, rest),
      longestBodyLineBytes: longestBody,
      bodyOffset,
      bareNewlines: bareNewlines || previous === CR,
      nul,
      headerFault,
      bodyLineTooLong: longestBody > MAX_BODY_LINE_BYTES,
    };
  };

  return { push, pushHeader, result };
};
