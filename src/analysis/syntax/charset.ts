/**
 * Decodes bytes and header values to text by their charset, whether it is declared or not, finds bytes that
 * do not match it, and names a charset as the report shows it.
 */

/** Text that was decoded from bytes. It is readable even if there is a fault. */
export interface Decoded {
  readonly text: string;
  readonly fault: 'unknown_charset' | 'invalid_bytes' | null;
}

const charsetName = (name: string): string | null => {
  const plain = name.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9._:+-]{0,39}$/.test(plain) ? plain : null;
};

/** Charset names from IANA's registry and from common software that the Encoding Standard lacks. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['windows-936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
]);

const newDecoder = (label: string, fatal: boolean) => {
  try {
    return new TextDecoder(ALIASES.get(label) ?? label, { fatal });
  } catch {
    return null;
  }
};

/**
 * Returns the label for text in "UTF-16": the byte order that its byte order mark shows, and otherwise
 * big-endian (RFC 2781 §4.3). Text without a mark that begins with a Latin letter in little-endian order is
 * an exception, because Windows writes such text.
 */
const utf16Label = ([first, second]: Uint8Array): string =>
  (first === 0xff && second === 0xfe) || (first !== 0 && second === 0) ? 'utf-16le' : 'utf-16be';

const ESC = 0x1b;

/** Returns where the ISO-2022-JP escape sequence that begins at `at` ends, or -1 if none begins there. */
const escapeEnd = (bytes: Uint8Array, at: number): number =>
  bytes[at] === ESC && (bytes[at + 1] === 0x28 || bytes[at + 1] === 0x24) ? at + 3 : -1;

/**
 * Removes escape sequences that the next one immediately undoes, for example between two adjacent
 * encoded-words. The Encoding Standard treats such sequences as an attack, but mail clients ignore them.
 */
const withoutIdleEscapes = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; ) {
    const end = escapeEnd(bytes, i);
    if (end !== -1 && escapeEnd(bytes, end) !== -1) i = end;
    else out[length++] = bytes[i++] as number;
  }
  return out.subarray(0, length);
};

/**
 * Returns a charset as the report shows it: by its name if it exists or is UTF-7, and otherwise as `unknown`.
 */
export const shownCharset = (name: string): string => {
  const plain = charsetName(name);
  const known = plain !== null && (plain === 'utf-7' || newDecoder(plain, false) !== null);
  return known ? plain : 'unknown';
};

const isAscii = (label: string) => label === 'us-ascii' || label === 'ascii';

/** Returns whether any byte has its high bit set. */
export const hasHighBytes = (bytes: Uint8Array): boolean => {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 0x7f) return true;
  return false;
};

/**
 * Decodes bytes without a declared charset: as UTF-8 if they are valid UTF-8, and otherwise as Windows-1252,
 * in which every byte has a meaning.
 */
export const decodeUndeclared = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/**
 * Decodes bytes by a charset label of the WHATWG Encoding Standard. UTF-7 is not in the standard, and is
 * never decoded.
 */
export const decodeText = (source: Uint8Array, label: string): Decoded => {
  const declared = charsetName(label);
  const name = declared === 'utf-16' ? utf16Label(source) : declared;
  const bytes = name === 'iso-2022-jp' ? withoutIdleEscapes(source) : source;
  const strict = name === null ? null : newDecoder(name, true);
  if (name === null || strict === null)
    return { text: decodeUndeclared(bytes), fault: 'unknown_charset' };
  if (isAscii(name) && hasHighBytes(bytes))
    return { text: decodeUndeclared(bytes), fault: 'invalid_bytes' };
  try {
    return { text: strict.decode(bytes), fault: null };
  } catch {
    return { text: newDecoder(name, false)?.decode(bytes) ?? '', fault: 'invalid_bytes' };
  }
};

/** Returns the bytes of a header value in which each character stands for one byte. */
export const bytesOf = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is intended
const NOT_ASCII = /[^\x00-\x7f]/;

export const isEightBit = (text: string): boolean => NOT_ASCII.test(text);

/** Returns a raw header value as text. 8-bit values are decoded as UTF-8 if possible (RFC 6532). */
export const headerText = (latin1: string): string =>
  isEightBit(latin1) ? decodeUndeclared(bytesOf(latin1)) : latin1;
