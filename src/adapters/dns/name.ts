/** Encodes and decodes the names in DNS messages (RFC 1035 §4.1.4). */

/** Limits in octets (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;
const MAX_NAME = 255;

/** Maximum number of jumps in one compressed name. More would be a loop (RFC 1035 §4.1.4). */
const MAX_JUMPS = 64;

const DOT = 0x2e;

/**
 * Encodes a name, or returns null if no such name can exist (RFC 1035 §2.3.4). The result is the text itself,
 * with the length of each label instead of the dot before it.
 */
export function encodeName(name: string): Buffer | null {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  const wire = Buffer.from(bare === '' ? '\0' : `.${bare}\0`);
  if (wire.length > MAX_NAME) return null;
  let length = 0;
  for (let at = wire.length - 2; at >= 0; at -= 1, length += 1) {
    if (wire[at] !== DOT) continue;
    if (length === 0 || length > MAX_LABEL) return null;
    wire[at] = length;
    length = -1;
  }
  return wire;
}

/** A name at an offset of a message, and its uncompressed length. */
interface Suffix {
  readonly name: string;
  readonly octets: number;
}

const ROOT: Suffix = { name: '', octets: 1 };

/** The names of one message, by the offset of each of their labels. */
export type KnownNames = Map<number, Suffix>;

/**
 * Reads a name and finds where it ends. Octets that are not plain text are escaped as in a zone file (RFC
 * 1035 §5.1), so that a label with a dot in it stays one label.
 *
 * @param known names of the same message: a name that thousands of records point to is read once
 * @throws RangeError if the name runs past the end of the message, its pointers form a loop, or it is too
 * long
 */
export function decodeName(
  message: Buffer,
  start: number,
  known: KnownNames,
): { name: string; end: number } {
  const offsets: number[] = [];
  let at = start;
  let end = -1;
  let jumps = 0;
  let octets = 1;
  for (;;) {
    const length = message.readUInt8(at);
    if (length >= 0xc0) {
      if (end < 0) end = at + 2;
      if (++jumps > MAX_JUMPS) throw new RangeError('name jumps in circles');
      at = message.readUInt16BE(at) & 0x3fff;
      const suffix = known.get(at);
      if (suffix) return { name: join(message, offsets, suffix, known), end };
    } else if (length > MAX_LABEL || at + 1 + length > message.length) {
      throw new RangeError('label out of bounds');
    } else if (length === 0) {
      return { name: join(message, offsets, ROOT, known), end: end < 0 ? at + 1 : end };
    } else {
      offsets.push(at);
      at += 1 + length;
      octets += 1 + length;
      if (octets > MAX_NAME) throw new RangeError('name too long');
    }
  }
}

/** Joins the labels at these offsets with a suffix, and remembers each resulting name. */
function join(message: Buffer, offsets: readonly number[], suffix: Suffix, known: KnownNames) {
  let { name, octets } = suffix;
  for (const at of offsets.toReversed()) {
    const length = message.readUInt8(at);
    const label = escapeLabel(message.subarray(at + 1, at + 1 + length));
    name = name === '' ? label : `${label}.${name}`;
    octets += 1 + length;
    if (octets > MAX_NAME) throw new RangeError('name too long');
    known.set(at, { name, octets });
  }
  return name;
}

const escapeLabel = (label: Buffer): string => {
  const text = label.toString('latin1');
  return /^[\w-]*$/.test(text) ? text : escapeOctets(label);
};

const escapeOctets = (label: Buffer): string =>
  Array.from(label, (octet) =>
    octet > 0x20 && octet < 0x7f && octet !== 0x2e && octet !== 0x5c
      ? String.fromCharCode(octet)
      : `\\${String(octet).padStart(3, '0')}`,
  ).join('');
