/**
 * Finds unreplaced template fields and phrases of spam and fraud in a text, splits texts into words, and
 * judges the text part by comparing it with the HTML.
 */

import { formatId } from '../format.ts';
import { MAX_WORDS } from '../limits.ts';
import { splitWords } from '../syntax/words.ts';
import boilerplate from './boilerplate.json' with { type: 'json' };
import type { TextFacts } from './facts.ts';
import table from './fraud-rules.json' with { type: 'json' };
import languages from './languages.json' with { type: 'json' };
import { ownLinesOf, ownWordsOf, withoutDenials } from './own-words.ts';
import phrases from './phrases.json' with { type: 'json' };

// Matches soft hyphens, zero-width spaces and joiners, word joiners and byte order marks.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Returns whether a text is ASCII. Most texts are, and many Unicode rules can be skipped for them. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

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

/** Variables that instructions for Windows contain, such as `%APPDATA%`. */
const WINDOWS_VARIABLES = splitWords(
  'ALLUSERSPROFILE APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
    'SYSTEMDRIVE SYSTEMROOT TEMP TMP USERPROFILE WINDIR',
).join('|');

/** The syntaxes of template fields: the opening and closing mark of each, and its name in findings. */
const SYNTAXES = [
  { syntax: '{{ }}', open: '{{', close: '}}', name: /^[{#/^&>!~ ]{0,4}[\p{L}_@][^{}]*$/u },
  { syntax: '%% %%', open: '%%', close: '%%', name: /^[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  { syntax: '*| |*', open: '*|', close: '|*', name: /^[\p{L}_][^|]*$/u },
  { syntax: '[[ ]]', open: '[[', close: ']]', name: /^ ?[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax to find, not a mistake
  { syntax: '${ }', open: '${', close: '}', name: /^ ?[\p{L}_][^{}]*$/u },
  { syntax: '{% %}', open: '{%', close: '%}', name: /^-?\s*[a-z_]+\b[^{}]*$/iu },
  { syntax: '<% %>', open: '<%', close: '%>', name: /^[=-]?\s*[\p{L}_@][^%]*$/u },
  // The name must be in capitals, and must not look like a percent-encoded octet of a URL: `%E9TE%20` is not
  // a template field, and neither are the variables of Windows.
  {
    syntax: '%NAME%',
    open: '%',
    close: '%',
    name: new RegExp(`^(?![0-9A-F]{2})(?!(?:${WINDOWS_VARIABLES})$)[A-Z][A-Z0-9_-]{2,}$`),
  },
] as const;

/**
 * Maximum length of a template field's name, in characters. Names are short, and the limit keeps the search
 * linear.
 */
const MAX_NAME_LENGTH = 80;

/**
 * Returns the unreplaced template fields in a text, each with its syntax and its name. The names never leave
 * the code that reads the email.
 */
export const findPlaceholders = (text: string): readonly { syntax: string; name: string }[] => {
  const found: { syntax: string; name: string }[] = [];
  for (const { syntax, open, close, name } of SYNTAXES) {
    for (let at = text.indexOf(open); at !== -1; ) {
      const window = text.slice(
        at + open.length,
        at + open.length + MAX_NAME_LENGTH + close.length,
      );
      const end = window.indexOf(close);
      const inner = end === -1 ? '' : window.slice(0, end);
      // `%%` is a separate mark, so the second `%` opens no field.
      const doubled = open.length === 1 && text[at - 1] === open;
      const hit = inner !== '' && !doubled && !/[\r\n<]/.test(inner) && name.test(inner);
      if (hit) found.push({ syntax, name: inner.trim() });
      at = text.indexOf(open, hit ? at + open.length + end + close.length : at + 1);
    }
  }
  return found;
};

export const hasPlaceholder = (text: string): boolean => findPlaceholders(text).length > 0;

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

/** Letters whose diacritics cannot be removed by decomposition, with their replacements. */
const PLAIN_LETTER: Readonly<Record<string, string>> = { ł: 'l', ß: 'ss', ø: 'o', đ: 'd', æ: 'ae' };

/** Returns a plain text without diacritics, which many people leave out. */
const withoutMarks = (plain: string): string =>
  isAscii(plain)
    ? plain
    : plain
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replace(/[łßøđæ]/g, (letter) => PLAIN_LETTER[letter] ?? letter);

/**
 * The fraud rules of each language. A text matches a rule if it contains one phrase from each of the rule's
 * groups.
 */
const RULES = Map.groupBy(
  table.rules.map(({ kind, language, all }) => ({
    kind,
    language,
    all: all.map((one) => new RegExp(one, 'u')),
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

/**
 * Returns the languages in which a text without diacritics may be written, or all languages if the text is
 * too short to tell.
 */
function languagesOf(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of text.slice(0, MAX_SAMPLE).match(/[a-z]+/g) ?? [])
    for (const language of LANGUAGES_OF.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (most < MIN_SMALL_WORDS) return Object.keys(languages);
  return [...counts].flatMap(([language, n]) => (n >= most * MIN_LANGUAGE_SHARE ? [language] : []));
}

/** Number of characters of a text that are searched for fraud. Fraudulent emails are short. */
const MAX_TEXT = 20_000;

/**
 * Matches strings that are too long to be words, such as URLs. Once they are removed, the rules find the ends
 * of words quickly.
 */
const NO_WORD = /(?:^| )[^ ]{60,}/g;

/** Prepares a plain text for the fraud rules. */
const forRules = (plain: string): string => withoutMarks(plain).replace(NO_WORD, ' ');

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
