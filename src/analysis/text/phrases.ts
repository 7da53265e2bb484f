/** Finds the phrases of spam and fraud in a text. */

import { formatId } from '../format.ts';
import { splitWords } from '../syntax/words.ts';
import table from './fraud-rules.json' with { type: 'json' };
import languages from './languages.json' with { type: 'json' };
import { ownLinesOf, ownWordsOf, withoutDenials } from './own-words.ts';
import phrases from './phrases.json' with { type: 'json' };
import { isAscii, toOneLine } from './words.ts';

/** A kind of fraud, with the conditions under which it counts. */
interface Kind {
  /**
   * True if this kind of fraud is enough on its own. Other kinds also need an independent sign of imitation.
   */
  readonly alone?: boolean;
  /** True if the fraud offers something, so that a sentence which denies it is no fraud. */
  readonly offer?: boolean;
  /** The sign of imitation that this kind of fraud needs. Without that sign, the kind says nothing. */
  readonly with?: string;
  /** The description of this kind of fraud for readers. */
  readonly reads: string;
  readonly source: string;
}

const KINDS: Readonly<Record<string, Kind>> = table.kinds;

/** Returns what these kinds of fraud are about, in words for readers. */
export const readsLike = (ids: readonly string[]): string =>
  ids.map((id) => KINDS[id]?.reads ?? formatId(id)).join('; ');

/** Returns the phrases that stand for these ids, as a reader would know them: the first of each list. */
export const phrasesNamed = (ids: readonly string[]): string =>
  ids
    .map((id) => PHRASES.find(([known]) => known === id)?.[1][0] ?? formatId(id))
    .map((phrase) => `“${phrase}”`)
    .join(', ');

/** Letters whose diacritics cannot be removed by decomposition, with their replacements. */
const PLAIN_LETTER: Readonly<Record<string, string>> = {
  ł: 'l',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  ı: 'i',
};

/** Returns a plain text without diacritics, which many people leave out. */
const withoutMarks = (plain: string): string =>
  isAscii(plain)
    ? plain
    : plain
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replace(/[łßøđæı]/g, (letter) => PLAIN_LETTER[letter] ?? letter)
        // Composes the syllables of Korean again.
        .normalize('NFC');

/**
 * The fraud rules of each language. A text matches a rule if it contains one phrase from each of the rule's
 * groups.
 */
const RULES = Map.groupBy(
  table.rules.map(({ kind, language, all }) => ({
    kind,
    language,
    all: all.map((one) => new RegExp(withoutMarks(one), 'u')),
  })),
  ({ language }) => language,
);

/** Maps small words, such as articles, to the languages in which they are common. */
const LANGUAGES_OF: ReadonlyMap<string, readonly string[]> = Object.entries(languages)
  .flatMap(([language, words]) => splitWords(words).map((word) => ({ word, language })))
  .reduce(
    (all, { word, language }) => all.set(word, [...(all.get(word) ?? []), language]),
    new Map<string, readonly string[]>(),
  );

/**
 * Number of small words from which a language counts as one of the text's languages. `MIN_LANGUAGE_SHARE` is
 * the share of the most frequent language's count that it needs as well.
 */
const MIN_SMALL_WORDS = 2;
const MIN_LANGUAGE_SHARE = 0.25;

/** Number of characters of a text from which its languages are detected. */
const MAX_SAMPLE = 1200;

/** Languages that are recognized by their script, each with a pattern of its letters. */
const SCRIPTS = Object.entries({
  ru: /\p{Script=Cyrillic}/gu,
  ar: /\p{Script=Arabic}/gu,
  ko: /\p{Script=Hangul}/gu,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  zh: /\p{Script=Han}/gu,
});

/** Number of letters of a script from which its language counts. Fewer may be those of a name. */
const MIN_LETTERS = 8;

/**
 * Returns the languages of the scripts, other than Latin, in which a text is written. Japanese contains
 * Chinese characters too.
 */
function scriptLanguages(sample: string): readonly string[] {
  if (isAscii(sample)) return [];
  const found = SCRIPTS.filter(
    ([, letter]) => (sample.match(letter)?.length ?? 0) >= MIN_LETTERS,
  ).map(([language]) => language);
  return found.includes('ja') ? found.filter((one) => one !== 'zh') : found;
}

/**
 * Returns the languages in which a text without diacritics may be written, or all languages in Latin letters
 * if the text is too short to tell.
 */
function languagesOf(text: string): readonly string[] {
  const sample = text.slice(0, MAX_SAMPLE);
  const other = scriptLanguages(sample);
  const counts = new Map<string, number>();
  for (const word of sample.match(/[a-z]+/g) ?? [])
    for (const language of LANGUAGES_OF.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (most < MIN_SMALL_WORDS) return other.length > 0 ? other : Object.keys(languages);
  const latin = [...counts].filter(([, n]) => n >= most * MIN_LANGUAGE_SHARE);
  return [...other, ...latin.map(([language]) => language)];
}

/** Number of characters of a text that are searched for fraud. Fraudulent emails are short. */
const MAX_TEXT = 20_000;

/**
 * Matches strings that are too long to be words, such as URLs. Once they are removed, the rules find the ends
 * of words quickly.
 */
const NO_WORD = /(?:^| )[^ ]{60,}/g;

/** The same for text beyond ASCII, at four times the cost. Chinese and Japanese put no spaces between words. */
const NO_WORD_BEYOND_ASCII = /[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{60,}/gu;

/** Prepares a plain text for the fraud rules. */
const forRules = (plain: string): string =>
  withoutMarks(plain).replace(isAscii(plain) ? NO_WORD : NO_WORD_BEYOND_ASCII, ' ');

/** The ids of the kinds of fraud that a text reads like. */
interface KindsFound {
  readonly all: readonly string[];
  /** The kinds of which the author's own words remind, without quotations, warnings and notices. */
  readonly own: readonly string[];
}

/** Returns the kinds of fraud that a text reads like. Its plain form is on one line. */
function fraudKinds(written: string, plain: string): KindsFound {
  const text = forRules(plain.slice(0, MAX_TEXT));
  const rules = [...languagesOf(text), 'any'].flatMap((language) => RULES.get(language) ?? []);
  const found = rules.filter(({ all }) => all.every((one) => one.test(text)));
  const isAlone = found.some(({ kind }) => KINDS[kind]?.alone);
  const ownText = isAlone ? forRules(ownWordsOf(toOneLine(ownLinesOf(written)))) : text;
  const own = found.filter(({ kind, all }) => {
    const said = KINDS[kind]?.offer ? withoutDenials(ownText, all) : ownText;
    return all.every((one) => one.test(said));
  });
  const kindsOf = (some: typeof found) => [...new Set(some.map(({ kind }) => kind))];
  return { all: kindsOf(found), own: kindsOf(own) };
}

/**
 * Phrases that filters have known for a long time. They are a weak signal, so a single phrase does not count.
 */
const PHRASES = Object.entries(phrases);

interface PhraseReading {
  readonly phraseIds: readonly string[];
  /** Fraud rules that the text matches and that count on their own. */
  readonly patternIds: readonly string[];
  /** Fraud rules that the text matches and that count only together with a sign of imitation. */
  readonly wordingIds: readonly string[];
  /** True if the text talks about the reader's mailbox as its administrator would. */
  readonly isOfMailbox: boolean;
}

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Returns whether a phrase occurs in a text as separate words. Each occurrence is examined once. */
const holds = (text: string, phrase: string): boolean => {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) return true;
  return false;
};

// Matches any of the phrases, so that one pass shows that most emails contain none.
const ANY_PHRASE = new RegExp(
  Object.values(phrases)
    .flat()
    .map((phrase) => RegExp.escape(phrase))
    .join('|'),
);

/** Returns the ids of the phrases and fraud rules that a text matches, but none of its words. */
export const readPhrases = (text: string): PhraseReading => {
  const plain = toOneLine(text);
  const holdsAny = (any: readonly string[]) => any.some((phrase) => holds(plain, phrase));
  const phraseIds = ANY_PHRASE.test(plain)
    ? PHRASES.filter(([, any]) => holdsAny(any)).map(([id]) => id)
    : [];
  const { all, own } = fraudKinds(text.slice(0, MAX_TEXT), plain);
  const patternIds = own.filter((id) => KINDS[id]?.alone);
  return {
    phraseIds,
    patternIds,
    wordingIds: all.filter((id) => !patternIds.includes(id) && !KINDS[id]?.with),
    isOfMailbox: all.includes('mailbox'),
  };
};
