/** Measures how much text the HTML of an email hides, not counting layouts for other screens. */

import type { HtmlDocument } from '../html/document.ts';
import type { HtmlFacts } from '../html/facts.ts';
import { readWords } from '../text/words.ts';

/**
 * Characters that count as letters but are invisible. Senders use them to fill the space after a preview
 * text.
 */
const FILLER = /[\u115f\u1160\u3164\uffa0]/g;

/** Share of a hidden block's words that must also be visible for the block to count as a second layout. */
const MIN_REPEATED = 0.8;

/** Maximum number of times that layouts for other screens may repeat the visible words. */
const MAX_LAYOUTS = 3;

/** Counts the characters of words, which consist of letters and digits. */
const countCharacters = (words: readonly string[]): number =>
  words.reduce((sum, { length }) => sum + length, 0);

/** Returns whether a block only repeats visible words, as a second layout for other screens does. */
const isRepeated = (words: readonly string[], visible: ReadonlySet<string>): boolean =>
  words.filter((word) => visible.has(word)).length >= words.length * MIN_REPEATED;

/** Measures the hidden text that no screen shows, and the visible text. */
export function measureHidden(
  { hiddenTexts }: Pick<HtmlDocument, 'hiddenTexts'>,
  visibleWords: readonly string[],
): HtmlFacts['hiddenText'] {
  const visible = new Set(visibleWords);
  let left = MAX_LAYOUTS * visibleWords.length;
  const found = { characters: 0, words: 0, previewCharacters: 0 };
  for (const { isPreheader, run } of hiddenTexts) {
    const { words } = readWords(run.text.replace(FILLER, ''));
    if (words.length <= left && isRepeated(words, visible)) {
      left -= words.length;
      continue;
    }
    const characters = countCharacters(words);
    found.characters += characters;
    found.words += words.length;
    if (isPreheader) found.previewCharacters += characters;
  }
  return { ...found, visibleCharacters: countCharacters(visibleWords) };
}
