/**
 * Finds and counts the signature fields in the header of an email, and hides those that are not to be
 * verified.
 */

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Maximum number of white-space characters in a row. mailauth takes quadratic time to read more. */
const MAX_SPACE = 998;

/** Initials of the names below. */
const INITIALS = new Set(Buffer.from('AaDd'));

// Space, which may be folded, may precede the colon (RFC 5322 §4.5).
const named = (...names: readonly string[]) => ({
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
  hide(bytes, CHAIN, (_, start) => isPadded(bytes, start));

/** Returns whether a signature or a field of an ARC chain has too much white space in a row. */
export const hasPaddedField = (bytes: Uint8Array): boolean =>
  fieldStarts(bytes, ALL).some((start) => isPadded(bytes, start));

/** Returns the positions of the DKIM-Signature fields that have too much white space in a row. */
export const paddedSignatures = (bytes: Uint8Array): ReadonlySet<number> =>
  new Set(
    [...fieldStarts(bytes, DKIM)].flatMap((start, place) =>
      isPadded(bytes, start) ? [place] : [],
    ),
  );

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

/** Returns whether the field that begins here, with the lines that continue it, has too much white space. */
function isPadded(bytes: Uint8Array, start: number): boolean {
  let spaces = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    const isSpace = byte === SPACE || byte === TAB || byte === CR || byte === LF;
    spaces = isSpace ? spaces + 1 : 0;
    if (spaces > MAX_SPACE) return true;
    if (byte === LF && bytes[at + 1] !== SPACE && bytes[at + 1] !== TAB) return false;
  }
  return false;
}

function* fieldStarts(bytes: Uint8Array, name: Name): Generator<number> {
  for (const start of lineStarts(bytes)) {
    if (!INITIALS.has(bytes[start] ?? 0)) continue;
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
