/** Prepares texts for comparison, splits them into words, and judges the text part by comparing it with the HTML. */

import { MAX_WORDS } from '../limits.ts';
import boilerplate from './boilerplate.json' with { type: 'json' };
import type { TextFacts } from './facts.ts';

// Matches soft hyphens, zero-width spaces and joiners, word joiners and byte order marks.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Returns whether a text is ASCII. Most texts are, and many Unicode rules can be skipped for them. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * Prepares a text for comparison: composed (NFC), in lower case, and without the characters that only mark
 * where a word may break.
 */
const toPlain = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.normalize('NFC').replace(INVISIBLE, '').toLowerCase();

/**
 * Like `toPlain`, but returns a single line, because phrases extend across line breaks and no-break spaces.
 */
export const toOneLine = (text: string): string =>
  toPlain(text)
    .replace(/’/g, "'")
    // Single spaces need no replacement.
    .replace(/\s{2,}|[^\S ]/g, ' ');

/**
 * Number of words up to which a text part may be boilerplate. Generators insert such text, which only refers
 * the reader elsewhere, instead of a text part.
 */
const MAX_BOILERPLATE_WORDS = 60;

/**
 * Share of the HTML's words that the text part must contain. With a smaller share, it counts as a different
 * email.
 */
export const MIN_SHARED = 0.3;

/** Judges a text part by comparing it with the HTML that it stands for. */
export const judgeText = (
  text: string,
  textWords: number,
  htmlWords: number,
  shared: number,
): TextFacts['textState'] => {
  if (textWords === 0) return htmlWords === 0 ? 'ok' : 'empty';
  const lower = text.toLowerCase();
  const short = textWords <= MAX_BOILERPLATE_WORDS && textWords < htmlWords / 2;
  if (short && boilerplate.some((phrase) => lower.includes(phrase))) return 'boilerplate';
  return shared < MIN_SHARED ? 'too_short' : 'ok';
};

/**
 * The words of a text in lower case, at most 200,000. In scripts without spaces, each character is a word.
 */
interface Words {
  readonly words: readonly string[];
  readonly truncated: boolean;
}

// The pattern never backtracks and takes linear time, because its alternatives begin with different
// characters or end after one.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Matches URLs. They do not count as text, so a text part gains nothing by printing its links. */
const URL_TEXT = /(?:https?:\/\/|www\.|mailto:)[^\s<>"]*/gi;

const ASCII_WORD = /[a-z0-9]+/g;

export const readWords = (text: string): Words => {
  const plain = toPlain(text).replace(URL_TEXT, ' ');
  const words = plain.match(isAscii(plain) ? ASCII_WORD : WORD) ?? [];
  const truncated = words.length > MAX_WORDS;
  return { words: truncated ? words.slice(0, MAX_WORDS) : words, truncated };
};

/**
 * Returns the share of the words of `html` that are also in `text`, with two decimals, or 1 if `html` has no
 * words.
 */
export const similarity = (text: readonly string[], html: readonly string[]): number => {
  if (html.length === 0) return 1;
  const known = new Set(text);
  let shared = 0;
  for (const word of html) if (known.has(word)) shared++;
  return Math.round((shared / html.length) * 100) / 100;
};
