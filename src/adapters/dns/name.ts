/** RFC 1035 §2.3.4, in octets. */
const MAX_LABEL = 63;
const MAX_NAME = 255;

/** Jumps of one compressed name; more is a loop (RFC 1035 §4.1.4). */
const MAX_JUMPS = 64;

const DOT = 0x2e;

/**
 * The name on the wire, or null: no such name can exist (RFC 1035 §2.3.4). It is its own text, in which
 * the length of each label stands in place of the dot before it.
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

/** What stands at an offset of a message: a name, and what it takes uncompressed. */
interface Suffix {
  readonly name: string;
  readonly octets: number;
}

const ROOT: Suffix = { name: '', octets: 1 };

/** The names of one message by the offset of each of their labels. */
export type KnownNames = Map<number, Suffix>;

/**
 * Reads a name and where it ends. Octets that are no plain text are escaped as in a zone file
 * (RFC 1035 §5.1), so that a label with a dot in it stays one label.
 *
 * @param known of the same message: what thousands of records point at is read once
 * @throws RangeError when it leaves the message, jumps in circles or is too long
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

/** The name of the labels at these offsets before a suffix; each of them is known from now on. */
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
