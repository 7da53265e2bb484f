// RFC 5322 §4.5: space, folded too, may stand before the colon.
const NAME = /^dkim-signature[ \t]*(?::|\r?\n[ \t])/i;
const LF = 0x0a;
const CR = 0x0d;
const NAME_BYTES = 'dkim-signature \r\n '.length;

/**
 * Hides all DKIM-Signature fields from the verifier but those at these places, and gives back what
 * makes them visible again. One letter of the name is changed where it stands: nothing is copied.
 */
export function hideOtherSignatures(bytes: Uint8Array, kept: ReadonlySet<number>): () => void {
  const changed = new Map<number, number>();
  let place = 0;
  for (const start of lineStarts(bytes)) {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, NAME_BYTES).toString('latin1');
    if (!NAME.test(head)) continue;
    if (!kept.has(place)) {
      changed.set(start, bytes[start] ?? 0);
      bytes[start] = 'X'.charCodeAt(0);
    }
    place += 1;
  }
  return () => {
    for (const [at, byte] of changed) bytes[at] = byte;
  };
}

/** Where the lines of the header block begin, as long as a name fits behind. */
function* lineStarts(bytes: Uint8Array): Generator<number> {
  for (let at = 0; at + NAME_BYTES <= bytes.length; ) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) return;
    yield at;
    const end = bytes.indexOf(LF, at);
    if (end < 0) return;
    at = end + 1;
  }
}
