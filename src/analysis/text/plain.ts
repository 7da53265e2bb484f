// Soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Most texts are: then many of the rules of Unicode need not be asked. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * A text for comparing: composed (NFC), in lower case, without the marks that only say where a
 * word may break.
 */
export const toPlain = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.normalize('NFC').replace(INVISIBLE, '').toLowerCase();

/** The same on one line: phrases go over line ends and no-break spaces. */
export const toOneLine = (text: string): string =>
  toPlain(text)
    .replace(/’/g, "'")
    // A space alone stays as it is.
    .replace(/\s{2,}|[^\S ]/g, ' ');
