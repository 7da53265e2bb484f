/** Finds faults in the charset of a text part: what is declared, and whether readers see the right letters. */

import { type Decoded, decodeText, decodeUndeclared, hasHighBytes } from '../syntax/charset.ts';

/**
 * A fault in the charset of a text part, besides those of decoding: 8-bit text without a charset, a charset
 * with several bytes per letter, UTF-8 that is declared as something else, text that was converted to UTF-8
 * twice, and text whose letters were lost before it was sent.
 */
type TextFault =
  | NonNullable<Decoded['fault']>
  | 'missing_charset'
  | 'wide_charset'
  | 'utf8_not_declared'
  | 'encoded_twice'
  | 'lost_letters';

/** Matches charsets that never write a line break as the bytes CR and LF, although text parts must. */
const WIDE = /^(?:utf-?16|utf-?32|ucs-?[24]|iso-10646-ucs)/i;

/** Matches charsets with one byte per letter. */
const ONE_BYTE = /^(?:(?:x-)?iso-?8859|latin-?\d|windows-125|cp125|koi8)/i;

/** Matches letters that are rare in email, but that bytes of another charset show when they are read as UTF-8. */
const UNUSUAL = /[\u0180-\u036f\u0460-\u058f\u0700-\u08ff]/;

/** Returns whether bytes beyond ASCII are UTF-8. Text in a charset with one byte per letter hardly ever is. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !UNUSUAL.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/**
 * Matches what readers see of UTF-8 that was read as Windows-1252 and converted to UTF-8 again: `Ã¼` for ü,
 * `â€™` for an apostrophe, and `ðŸ˜€` for an emoji.
 */
const TWICE =
  /[\u00c2-\u00c5\u00ce-\u00d1][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]|\u00e2\u20ac|\u00f0\u0178/g;

/** Number of such sequences in a text from which they are no accident. */
const MIN_TWICE = 3;

/** Matches U+FFFD, which replaces lost letters, in a line that is not quoted from another email. */
const LOST = /^(?!>).*\ufffd/m;

/** Returns whether a text is UTF-16 in disguise: at least a third of its characters are NUL. */
const isWideText = (text: string): boolean =>
  text.includes('\0') && (text.match(/\0/g) ?? []).length * 3 >= text.length;

const faultOf = (bytes: Uint8Array, charset: string, text: string): TextFault | null => {
  if (WIDE.test(charset)) return 'wide_charset';
  if (isWideText(text)) return 'invalid_bytes';
  if (!hasHighBytes(bytes)) return null;
  if (ONE_BYTE.test(charset) && isUtf8(bytes)) return 'utf8_not_declared';
  if ((text.match(TWICE) ?? []).length >= MIN_TWICE) return 'encoded_twice';
  return LOST.test(text) ? 'lost_letters' : null;
};

/** Decodes a text part, and finds the fault of its charset. */
export const decodeTextPart = (
  bytes: Uint8Array,
  charset: string | null,
): { readonly text: string; readonly fault: TextFault | null } => {
  if (charset === null) {
    const fault = hasHighBytes(bytes) ? 'missing_charset' : null;
    return { text: decodeUndeclared(bytes), fault };
  }
  const { text, fault } = decodeText(bytes, charset);
  return { text, fault: fault ?? faultOf(bytes, charset, text) };
};
