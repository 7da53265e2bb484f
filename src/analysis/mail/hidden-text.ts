import type { HtmlDocument } from '../html/document.ts';
import type { HtmlFacts } from '../html/facts.ts';
import { readWords } from '../text/words.ts';

/** Letters by their class that show nothing: mail programs' filler behind a preview text. */
const FILLER = /[\u115f\u1160\u3164\uffa0]/g;

/** Share of the words of a hidden block that are visible as well, from which it is another layout. */
const MIN_REPEATED = 0.8;

/** How often the visible words may be repeated by layouts for other screens. */
const MAX_LAYOUTS = 3;

/** Letters and digits, as words were read. */
const countCharacters = (words: readonly string[]): number =>
  words.reduce((sum, { length }) => sum + length, 0);

/** A second layout for other screens says nothing that is not visible in the first. */
const isRepeated = (words: readonly string[], visible: ReadonlySet<string>): boolean =>
  words.filter((word) => visible.has(word)).length >= words.length * MIN_REPEATED;

/** The amount of hidden text that nobody is shown on any screen, beside what is visible. */
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
