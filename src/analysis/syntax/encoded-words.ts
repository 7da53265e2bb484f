/** Decodes encoded-words in header fields (RFC 2047), and recognizes broken and needless ones. */

import { decodeText, headerText } from './charset.ts';

interface Word {
  readonly charset: string;
  readonly bytes: Uint8Array;
  readonly end: number;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const fromQ = (text: string): Uint8Array | null => {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '=') bytes.push(text[i] === '_' ? 0x20 : text.charCodeAt(i));
    else {
      const hex = text.slice(i + 1, i + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return null;
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    }
  }
  return Uint8Array.from(bytes);
};

const decodeBytes = (encoding: string, text: string): Uint8Array | null => {
  if (encoding === 'q' || encoding === 'Q') return fromQ(text);
  if (encoding !== 'b' && encoding !== 'B') return null;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
};

/**
 * Reads the encoded-word whose `=?` is at `start`. Each step stops at the next `?`, so the function takes
 * linear time.
 */
const wordAt = (value: string, start: number): Word | null => {
  const charsetEnd = value.indexOf('?', start + 2);
  const encodingEnd = charsetEnd === -1 ? -1 : value.indexOf('?', charsetEnd + 1);
  const textEnd = encodingEnd === -1 ? -1 : value.indexOf('?', encodingEnd + 1);
  if (textEnd === -1 || value[textEnd + 1] !== '=') return null;
  const text = value.slice(encodingEnd + 1, textEnd);
  if (/[ \t]/.test(text)) return null;
  const bytes = decodeBytes(value.slice(charsetEnd + 1, encodingEnd), text);
  // A language may follow the charset (RFC 2231 §5).
  const charset = value.slice(start + 2, charsetEnd).split('*')[0] as string;
  return bytes && { charset, bytes, end: textEnd + 2 };
};

const joined = (run: readonly Word[]): Uint8Array => Buffer.concat(run.map(({ bytes }) => bytes));

/**
 * Decodes the encoded-words of a header value (RFC 2047). `broken` says that a text begins like an
 * encoded-word but is not one, or contains bytes that are not valid in its charset. Characters that are split
 * between adjacent words are joined, as in mail clients.
 */
export const decodeWords = (
  latin1: string,
): { readonly text: string; readonly broken: boolean } => {
  if (!latin1.includes('=?')) return { text: headerText(latin1), broken: false };

  const out: string[] = [];
  let run: Word[] = [];
  let broken = false;
  let at = 0;

  const flush = () => {
    const first = run[0];
    if (!first) return;
    const { text, fault } = decodeText(joined(run), first.charset);
    if (fault) broken = true;
    out.push(text);
    run = [];
  };

  while (at < latin1.length) {
    const start = latin1.indexOf('=?', at);
    const word = start === -1 ? null : wordAt(latin1, start);
    const before = latin1.slice(at, start === -1 ? latin1.length : start);
    // White space between adjacent encoded-words is not shown (RFC 2047 §6.2).
    if (run.length === 0 || !word || before.trim() !== '') {
      flush();
      out.push(headerText(before));
    }
    if (start === -1) break;
    if (word) {
      if (run[0] && run[0].charset.toLowerCase() !== word.charset.toLowerCase()) flush();
      run.push(word);
      at = word.end;
    } else {
      broken = true;
      out.push('=?');
      at = start + 2;
    }
  }
  flush();
  return { text: out.join(''), broken };
};

/** Returns whether a value contains an encoded-word that is incomplete or cannot be decoded. */
export const hasBrokenWords = (latin1: string): boolean =>
  latin1.includes('=?') && !isOnlyText(latin1) && decodeWords(latin1).broken;

// `=?` alone in a URL or a sentence is not an encoded-word, which has a charset and an encoding.
const isOnlyText = (latin1: string) => !/=\?[A-Za-z0-9_.:*+-]{1,60}\?[A-Za-z]\?/.test(latin1);

/** Returns whether all encoded-words of a value could be written without encoding. */
export const hasNeedlessWords = (latin1: string): boolean => {
  if (!latin1.includes('=?') || isOnlyText(latin1)) return false;
  const { text, broken } = decodeWords(latin1);
  // A text that itself looks like an encoded-word, or that spans several lines, cannot be written in any
  // other way.
  return !broken && /^[ -~]*$/.test(text) && isOnlyText(text);
};
