/** RFC 1035 §2.3.4, in octets. */
const MAX_LABEL = 63;
const MAX_NAME = 255;

/** Jumps of one compressed name; more is a loop (RFC 1035 §4.1.4). */
const MAX_JUMPS = 64;

/** The name on the wire, or null: no such name can exist (RFC 1035 §2.3.4). */
export function encodeName(name: string): Buffer | null {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  const labels = bare === '' ? [] : bare.split('.').map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > MAX_LABEL)) return null;
  const wire = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ]);
  return wire.length > MAX_NAME ? null : wire;
}

/**
 * Reads a name and where it ends. Octets that are no plain text are escaped as in a zone file
 * (RFC 1035 §5.1), so that a label with a dot in it stays one label.
 *
 * @throws RangeError when it leaves the message, jumps in circles or is too long
 */
export function decodeName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
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
    } else if (length > MAX_LABEL || at + 1 + length > message.length) {
      throw new RangeError('label out of bounds');
    } else if (length === 0) {
      return { name: labels.join('.'), end: end < 0 ? at + 1 : end };
    } else {
      labels.push(escapeLabel(message.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
      octets += 1 + length;
      // Else one long chain of labels could be read again for each record that points at it.
      if (octets > MAX_NAME) throw new RangeError('name too long');
    }
  }
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
