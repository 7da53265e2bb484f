/** One of the header fields that a mail begins with. */
export interface LeadingField {
  /** Lower case. */
  readonly name: string;
  /** Unfolded, without the space around it. Characters are bytes (Latin-1). */
  readonly value: string;
  /** Offset of the next field. */
  readonly end: number;
}

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const COLON = 0x3a;

// RFC 5322 §3.6.8: printable ASCII but the colon.
const FIELD_NAME = /^[!-9;-~]+$/;

/**
 * The fields from the top, each with its place, until a line that is not a field. The last one is left out when
 * the bytes end with it: it may go on.
 */
export function* leadingFields(bytes: Uint8Array): Generator<LeadingField, void, void> {
  for (let begin = 0; ; ) {
    const end = endOfField(bytes, begin);
    if (end === null) return;
    const field = toField(bytes.subarray(begin, end));
    if (!field) return;
    yield { ...field, end };
    begin = end;
  }
}

/** Where the field's last line ends; null: not within these bytes. */
function endOfField(bytes: Uint8Array, begin: number): number | null {
  for (let at = begin; ; ) {
    const newline = bytes.indexOf(LF, at);
    const next = bytes[newline + 1];
    if (newline === -1 || next === undefined) return null;
    at = newline + 1;
    if (next !== SPACE && next !== TAB) return at;
  }
}

function toField(bytes: Uint8Array): Omit<LeadingField, 'end'> | null {
  const first = bytes[0];
  const colon = bytes.indexOf(COLON);
  if (colon < 1 || first === LF || first === CR) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const name = text.slice(0, colon).toLowerCase();
  if (!FIELD_NAME.test(name)) return null;
  const value = text.slice(colon + 1).replace(/\r?\n/g, '');
  return { name, value: value.trim() };
}
