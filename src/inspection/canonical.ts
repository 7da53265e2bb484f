import type { PlainField } from './plain-mail.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** A field as it is signed, without the line end (RFC 6376 §3.4.1, §3.4.2). */
export function canonicalField({ name, raw }: PlainField, how: string): string {
  if (how === 'simple') return raw;
  const value = raw.slice(name.length + 1).replaceAll('\r\n', '');
  return `${name}:${value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')}`;
}

/** A signature's own field, its `b=` emptied (RFC 6376 §3.5): the only tag of that name. */
export const withoutSignature = (field: string): string =>
  field.replace(/([:;][ \t\r\n]*b[ \t\r\n]*=)[^;]*/, '$1');

/** A body as it is hashed (RFC 6376 §3.4.3, §3.4.4); null: its lines do not all end in CRLF. */
export function canonicalBody(body: Buffer, how: string): Buffer | null {
  const lines = how === 'simple' ? body : relaxedLines(body);
  if (lines === null || (how === 'simple' && hasBareNewline(body))) return null;
  let end = lines.length;
  while (end >= 2 && lines[end - 2] === CR && lines[end - 1] === LF) end -= 2;
  const isUnended = end === lines.length && end > 0;
  if (isUnended) return Buffer.concat([lines, Buffer.from('\r\n')]);
  // Of a body without anything the simple form is one line end, and the relaxed nothing.
  if (end > 0) return lines.subarray(0, end + 2);
  return Buffer.from(how === 'simple' ? '\r\n' : '');
}

/** Space within lines as one, none at their ends. */
function relaxedLines(body: Buffer): Buffer | null {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  let spaced = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === SPACE || byte === TAB) {
      spaced = true;
      continue;
    }
    if (byte === LF) return null;
    if (byte === CR) {
      at += 1;
      if (body[at] !== LF) return null;
      out[length++] = CR;
      out[length++] = LF;
      spaced = false;
      continue;
    }
    if (spaced) out[length++] = SPACE;
    spaced = false;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

function hasBareNewline(body: Buffer): boolean {
  for (let at = body.indexOf(LF); at >= 0; at = body.indexOf(LF, at + 1))
    if (body[at - 1] !== CR) return true;
  for (let at = body.indexOf(CR); at >= 0; at = body.indexOf(CR, at + 1))
    if (body[at + 1] !== LF) return true;
  return false;
}
