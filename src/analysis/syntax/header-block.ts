/**
 * Parses the header block of an email into fields, finds fields by name, and finds those that a blank line
 * cuts off.
 */

import { MAX_FIELD_BYTES, MAX_HEADER_BLOCK_BYTES, MAX_HEADER_FIELDS } from '../limits.ts';
import { splitWords } from './words.ts';

/** A header field. Its characters are bytes (Latin-1), so nothing of the original is lost. */
export interface HeaderField {
  /** Name of the field in lower case. */
  readonly name: string;
  /** Value of the field, unfolded and without surrounding space. */
  readonly value: string;
  /** Positions in `value` at which a line ended. Empty if the value was on a single line. */
  readonly folds: readonly number[];
  /** True if there was space before or after the value, besides the first space after the colon. */
  readonly edgeSpaces: boolean;
  /** True if there was space between the name and the colon. */
  readonly spaceBeforeColon: boolean;
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[];
  /** A Map, because the names come from the sender, and `__proto__` may be one of them. */
  readonly byName: ReadonlyMap<string, readonly HeaderField[]>;
  /** Offset at which the body begins: after the blank line, or at the end of the bytes. */
  readonly bodyOffset: number;
  /** Number of lines that are neither a field nor the continuation of one. */
  readonly junkLines: number;
  /** True if a limit was exceeded, so that a part of the block was not read. */
  readonly truncated: boolean;
}

const LF = 0x0a;
const CR = 0x0d;

// Matches printable ASCII except the colon (RFC 5322 §3.6.8). Space before the colon is obsolete (§4.5).
const FIELD_NAME = /^[!-9;-~]+$/;

/**
 * Returns where the name of a field ends. Only spaces and tabs may come before the colon. `trim` would also
 * remove other characters, and so turn an invalid name into a valid one.
 */
const nameEnd = (raw: string, colon: number): number => {
  let end = colon;
  while (raw[end - 1] === ' ' || raw[end - 1] === '\t') end--;
  return end;
};

const NO_FOLDS: readonly number[] = [];

/** Returns the positions at which the continuation lines of a field begin, counted from `start`. */
const foldsOf = (lines: readonly string[], start: number): readonly number[] => {
  if (lines.length === 1) return NO_FOLDS;
  let at = -start;
  return lines.slice(0, -1).map(({ length }) => {
    at += length;
    return at;
  });
};

const toField = (lines: readonly string[]): HeaderField | null => {
  const raw = lines.join('');
  const colon = raw.indexOf(':');
  if (colon < 1) return null;
  const end = nameEnd(raw, colon);
  const name = raw.slice(0, end).toLowerCase();
  if (!FIELD_NAME.test(name)) return null;
  const rest = raw.slice(colon + 1);
  const value = rest.trim();
  const leading = rest.length - rest.trimStart().length;
  const trailing = value === '' ? 0 : rest.length - rest.trimEnd().length;
  return {
    name,
    value,
    folds: foldsOf(lines, colon + 1 + leading),
    edgeSpaces: value !== '' && (leading > 1 || trailing > 0),
    spaceBeforeColon: end < colon,
  };
};

/** Returns where the text of a line ends, not counting a CR before the LF. */
const textEnd = (bytes: Uint8Array, start: number, lineEnd: number) =>
  lineEnd > start && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;

/** Finds where the header block ends, and where the body begins. */
const findBody = (bytes: Uint8Array) => {
  for (let line = 0; line < bytes.length; ) {
    const found = bytes.indexOf(LF, line);
    const lineEnd = found === -1 ? bytes.length : found;
    if (textEnd(bytes, line, lineEnd) === line)
      return { block: line, body: Math.min(lineEnd + 1, bytes.length) };
    line = lineEnd + 1;
  }
  return { block: bytes.length, body: bytes.length };
};

/** Reads the header block at the beginning of `bytes`, up to the limits on its size. */
export const parseHeaderBlock = (bytes: Uint8Array): HeaderBlock => {
  const { block, body } = findBody(bytes);
  const readTo = Math.min(block, MAX_HEADER_BLOCK_BYTES);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, readTo).toString('latin1');
  const fields: HeaderField[] = [];
  let junkLines = 0;
  let truncated = readTo < block;
  let pending: string[] = [];
  let pendingLength = 0;

  const finish = () => {
    if (pending.length === 0) return;
    const field = toField(pending);
    if (field) fields.push(field);
    else junkLines++;
    pending = [];
    pendingLength = 0;
  };

  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const lineEnd = found === -1 ? text.length : found;
    const cut = lineEnd > at && text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd;
    const line = text.slice(at, cut);
    at = lineEnd + 1;
    const continues = line.startsWith(' ') || line.startsWith('\t');
    if (!continues) {
      finish();
      if (fields.length + junkLines >= MAX_HEADER_FIELDS) {
        truncated = true;
        break;
      }
    } else if (pending.length === 0) {
      junkLines++;
      continue;
    }
    if (pendingLength + line.length > MAX_FIELD_BYTES) {
      truncated = true;
      continue;
    }
    pending.push(line);
    pendingLength += line.length;
  }
  finish();

  const byName = new Map<string, HeaderField[]>();
  for (const field of fields) {
    const same = byName.get(field.name);
    if (same) same.push(field);
    else byName.set(field.name, [field]);
  }
  return { fields, byName, bodyOffset: body, junkLines, truncated };
};

/** Names of fields that most emails have, and with which no ordinary text begins. */
const USUAL = splitWords(
  'From To Subject Date Message-ID MIME-Version Content-Type Content-Transfer-Encoding Reply-To List-Unsubscribe',
);

/** Number of bytes after the end of the header that are searched for further fields. */
const MAX_BEHIND = 16_384;

/**
 * Returns the names of usual fields that come after a blank line inside the header, so that the header lacks
 * them. Empty if the body begins normally.
 */
export function fieldsBehind(mail: Uint8Array, block: HeaderBlock): readonly string[] {
  const { bodyOffset } = block;
  const behind = parseHeaderBlock(mail.subarray(bodyOffset, bodyOffset + MAX_BEHIND));
  const first = behind.fields[0]?.name;
  const lacking = USUAL.filter((name) => {
    const key = name.toLowerCase();
    return behind.byName.has(key) && !block.byName.has(key);
  });
  const isHeader = behind.junkLines === 0 && first !== undefined && !block.byName.has(first);
  return isHeader ? lacking : [];
}

const NONE: readonly HeaderField[] = [];

export const fieldsNamed = (block: HeaderBlock, name: string): readonly HeaderField[] =>
  block.byName.get(name) ?? NONE;

/** Returns the value of the topmost field with this name, or null if there is none. */
export const firstNamed = (block: HeaderBlock, name: string): string | null =>
  block.byName.get(name)?.[0]?.value ?? null;
