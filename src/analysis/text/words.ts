import { MAX_WORDS } from '../limits.ts';
import { isAscii, toPlain } from './plain.ts';

/** The words of a text in lower case, 200,000 at most. Scripts without spaces: a character a word. */
export interface Words {
  readonly words: readonly string[];
  readonly truncated: boolean;
}

// Alternatives begin with different characters or end after one: no way back, hence linear.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Addresses are not reading matter: a text part that shows its links has no more to say for it. */
const URL_TEXT = /(?:https?:\/\/|www\.|mailto:)[^\s<>"]*/gi;

const ASCII_WORD = /[a-z0-9]+/g;

export const readWords = (text: string): Words => {
  const plain = toPlain(text).replace(URL_TEXT, ' ');
  const words = plain.match(isAscii(plain) ? ASCII_WORD : WORD) ?? [];
  const truncated = words.length > MAX_WORDS;
  return { words: truncated ? words.slice(0, MAX_WORDS) : words, truncated };
};

/** Share of the words of `html` that `text` has as well, with two decimals; 1 where `html` has no words. */
export const similarity = (text: readonly string[], html: readonly string[]): number => {
  if (html.length === 0) return 1;
  const known = new Set(text);
  let shared = 0;
  for (const word of html) if (known.has(word)) shared++;
  return Math.round((shared / html.length) * 100) / 100;
};
