/**
 * Finds and counts the signature fields in the header of an email, and hides those that are not to be
 * verified.
 */

import { isPadded } from '../../domain/padded-field.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

// Space, which may be folded, may precede the colon (RFC 5322 §4.5).
const named = (...names: readonly string[]) => ({
  initials: new Set(
    names.flatMap(([first = '']) => [first, first.toUpperCase()]).map((one) => one.charCodeAt(0)),
  ),
  pattern: new RegExp(`^(?:${names.join('|')})[ \\t]*(?::|\\r?\\n[ \\t])`, 'i'),
  bytes: Math.max(...names.map((name) => `${name} \r\n `.length)),
});

const DKIM = named('dkim-signature');
const ARC = named('arc-message-signature');
const OF_CHAIN = ['arc-seal', 'arc-message-signature', 'arc-authentication-results'];
const CHAIN = named(...OF_CHAIN);
const ALL = named('dkim-signature', ...OF_CHAIN);

/**
 * Hides all DKIM-Signature fields except those at these positions from the verifier, and returns the function
 * that makes them visible again. One letter of the name is changed in place, so nothing is copied.
 */
export const hideOtherSignatures = (bytes: Uint8Array, kept: ReadonlySet<number>): (() => void) =>
  hide(bytes, DKIM, (place) => !kept.has(place));

/** Hides the signatures of ARC chains in the same way. */
export const hideArcSignatures = (bytes: Uint8Array): (() => void) => hide(bytes, ARC, () => true);

/** Hides the fields of ARC chains that have too much white space in a row. */
export const hidePaddedArcFields = (bytes: Uint8Array): (() => void) =>
  hide(bytes, CHAIN, (_, start) => isPadded(fieldAt(bytes, start)));

/** Returns whether a signature or a field of an ARC chain has too much white space in a row. */
export const hasPaddedField = (bytes: Uint8Array): boolean =>
  fieldStarts(bytes, ALL).some((start) => isPadded(fieldAt(bytes, start)));

/** Counts the DKIM-Signature fields, readable or not. */
export const countSignatures = (bytes: Uint8Array): number => [...fieldStarts(bytes, DKIM)].length;

type Name = ReturnType<typeof named>;

function hide(
  bytes: Uint8Array,
  name: Name,
  isHidden: (place: number, start: number) => boolean,
): () => void {
  const changed = new Map<number, number>();
  let place = 0;
  for (const start of fieldStarts(bytes, name)) {
    if (isHidden(place, start)) {
      changed.set(start, bytes[start] ?? 0);
      bytes[start] = 'X'.charCodeAt(0);
    }
    place += 1;
  }
  return () => {
    for (const [at, byte] of changed) bytes[at] = byte;
  };
}

/** Returns the field that begins here, with the lines that continue it. */
function fieldAt(bytes: Uint8Array, start: number): string {
  let end = bytes.indexOf(LF, start);
  while (end >= 0 && (bytes[end + 1] === SPACE || bytes[end + 1] === TAB))
    end = bytes.indexOf(LF, end + 1);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    'latin1',
    start,
    end < 0 ? bytes.length : end,
  );
}

function* fieldStarts(bytes: Uint8Array, name: Name): Generator<number> {
  for (const start of lineStarts(bytes)) {
    if (!name.initials.has(bytes[start] ?? 0)) continue;
    const length = Math.min(name.bytes, bytes.length - start);
    const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('latin1');
    if (name.pattern.test(head)) yield start;
  }
}

/** Yields the position of each line of the header block. */
function* lineStarts(bytes: Uint8Array): Generator<number> {
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) return;
    yield at;
    const end = bytes.indexOf(LF, at);
    if (end < 0) return;
    at = end + 1;
  }
}
