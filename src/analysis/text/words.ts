import { MAX_WORDS } from '../limits.ts';
import { toPlain } from './plain.ts';

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

export const readWords = (text: string): Words => {
  const words: string[] = [];
  for (const [word] of toPlain(text).replace(URL_TEXT, ' ').matchAll(WORD)) {
    if (words.length === MAX_WORDS) return { words, truncated: true };
    words.push(word);
  }
  return { words, truncated: false };
};

/** Share of the words of `html` that `text` has as well, with two decimals; 1 where `html` has no words. */
export const similarity = (text: readonly string[], html: readonly string[]): number => {
  if (html.length === 0) return 1;
  const known = new Set(text);
  const shared = html.filter((word) => known.has(word)).length;
  return Math.round((shared / html.length) * 100) / 100;
};
