import { fraudRules } from './fraud-rules.ts';
import phrases from './phrases.json' with { type: 'json' };
import { toOneLine } from './plain.ts';

/** Phrases that filters have long known. A weak signal: three of them, or one pattern, count. */
const PHRASES = Object.entries(phrases);

export interface PhraseReading {
  readonly phraseIds: readonly string[];
  /** Rules of fraud that count alone. */
  readonly patternIds: readonly string[];
  /** Those that count beside a sign of imitation. */
  readonly wordingIds: readonly string[];
}

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** The phrase stands there as words of its own. Each occurrence is looked at once. */
const holds = (text: string, phrase: string): boolean => {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) return true;
  return false;
};

// Most mails hold none, as one pass over the text shows.
const ANY_PHRASE = new RegExp(
  Object.values(phrases)
    .flat()
    .map((phrase) => RegExp.escape(phrase))
    .join('|'),
);

/** Which phrases and patterns a text holds: by id, never by its words. */
export const readPhrases = (text: string): PhraseReading => {
  const plain = toOneLine(text);
  const holdsAny = (any: readonly string[]) => any.some((phrase) => holds(plain, phrase));
  const phraseIds = ANY_PHRASE.test(plain)
    ? PHRASES.filter(([, any]) => holdsAny(any)).map(([id]) => id)
    : [];
  const [patternIds, wordingIds] = fraudRules(plain);
  return { phraseIds, patternIds, wordingIds };
};
