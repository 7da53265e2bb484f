/**
 * Finds and counts the signature fields in the header of an email, and hides those that are not to be
 * verified.
 */

const LF = 0x0a;
const CR = 0x0d;

// Space, which may be folded, may precede the colon (RFC 5322 §4.5).
const named = (name: string) => ({
  pattern: new RegExp(`^${name}[ \\t]*(?::|\\r?\\n[ \\t])`, 'i'),
  bytes: `${name} \r\n `.length,
});

const DKIM = named('dkim-signature');
const ARC = named('arc-message-signature');

/**
 * Hides all DKIM-Signature fields except those at these positions from the verifier, and returns the function
 * that makes them visible again. One letter of the name is changed in place, so nothing is copied.
 */
export const hideOtherSignatures = (bytes: Uint8Array, kept: ReadonlySet<number>): (() => void) =>
  hide(bytes, DKIM, (place) => !kept.has(place));

/** Hides the signatures of ARC chains in the same way. */
export const hideArcSignatures = (bytes: Uint8Array): (() => void) => hide(bytes, ARC, () => true);

/** Counts the DKIM-Signature fields, readable or not. */
export const countSignatures = (bytes: Uint8Array): number => [...fieldStarts(bytes, DKIM)].length;

type Name = ReturnType<typeof named>;

function hide(bytes: Uint8Array, name: Name, isHidden: (place: number) => boolean): () => void {
  const changed = new Map<number, number>();
  let place = 0;
  for (const start of fieldStarts(bytes, name)) {
    if (isHidden(place)) {
      changed.set(start, bytes[start] ?? 0);
      bytes[start] = 'X'.charCodeAt(0);
    }
    place += 1;
  }
  return () => {
    for (const [at, byte] of changed) bytes[at] = byte;
  };
}

function* fieldStarts(bytes: Uint8Array, name: Name): Generator<number> {
  for (const start of lineStarts(bytes)) {
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
