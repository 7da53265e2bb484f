import { formatId } from '../format.ts';
import { MAX_WORDS } from '../limits.ts';
import { splitWords } from '../syntax/words.ts';
import boilerplate from './boilerplate.json' with { type: 'json' };
import type { TextFacts } from './facts.ts';
import table from './fraud-rules.json' with { type: 'json' };
import languages from './languages.json' with { type: 'json' };
import phrases from './phrases.json' with { type: 'json' };

// Soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Most texts are: then many of the rules of Unicode need not be asked. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * A text for comparing: composed (NFC), in lower case, without the marks that only say where a
 * word may break.
 */
const toPlain = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.normalize('NFC').replace(INVISIBLE, '').toLowerCase();

/** The same on one line: phrases go over line ends and no-break spaces. */
export const toOneLine = (text: string): string =>
  toPlain(text)
    .replace(/’/g, "'")
    // A space alone stays as it is.
    .replace(/\s{2,}|[^\S ]/g, ' ');

/** An opening and a closing mark, and the syntax as findings name it. */
const SYNTAXES = [
  { syntax: '{{ }}', open: '{{', close: '}}', name: /^[{#/^&>!~ ]{0,4}[\p{L}_@][^{}]*$/u },
  { syntax: '%% %%', open: '%%', close: '%%', name: /^[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  { syntax: '*| |*', open: '*|', close: '|*', name: /^[\p{L}_][^|]*$/u },
  { syntax: '[[ ]]', open: '[[', close: ']]', name: /^ ?[\p{L}_][\p{L}\p{N}_.: -]*$/u },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax looked for
  { syntax: '${ }', open: '${', close: '}', name: /^ ?[\p{L}_][^{}]*$/u },
  { syntax: '{% %}', open: '{%', close: '%}', name: /^-?\s*[a-z_]+\b[^{}]*$/iu },
  { syntax: '<% %>', open: '<%', close: '%>', name: /^[=-]?\s*[\p{L}_@][^%]*$/u },
  // In capitals, and not as the octets of a URL begin: `%E9TE%20` is no field.
  { syntax: '%NAME%', open: '%', close: '%', name: /^(?![0-9A-F]{2})[A-Z][A-Z0-9_-]{2,}$/ },
] as const;

/** A field's name is short; looking no further keeps the search linear. */
const MAX_NAME_LENGTH = 80;

/** The unreplaced template fields of a text, as `syntax` and name. The names stay inside. */
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
      // `%%` is a mark of its own.
      const doubled = open.length === 1 && text[at - 1] === open;
      const hit = inner !== '' && !doubled && !/[\r\n<]/.test(inner) && name.test(inner);
      if (hit) found.push({ syntax, name: inner.trim() });
      at = text.indexOf(open, hit ? at + open.length + end + close.length : at + 1);
    }
  }
  return found;
};

export const hasPlaceholder = (text: string): boolean => findPlaceholders(text).length > 0;

/** What the words of a kind of fraud are about. */
interface Kind {
  /** Says enough by itself; other kinds ask for an independent sign of imitation. */
  readonly alone?: boolean;
  /** The sign of imitation that it is a part of, and says nothing without. */
  readonly with?: string;
  /** For readers. */
  readonly reads: string;
  readonly source: string;
}

const KINDS: Readonly<Record<string, Kind>> = table.kinds;

/** What kinds are about, for readers. */
export const readsLike = (ids: readonly string[]): string =>
  ids.map((id) => KINDS[id]?.reads ?? formatId(id)).join('; ');

/** Letters that no mark can be taken from. */
const PLAIN_LETTER: Readonly<Record<string, string>> = { ł: 'l', ß: 'ss', ø: 'o', đ: 'd', æ: 'ae' };

/** A plain text without the marks of its letters, which many leave out. */
const withoutMarks = (plain: string): string =>
  isAscii(plain)
    ? plain
    : plain
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replace(/[łßøđæ]/g, (letter) => PLAIN_LETTER[letter] ?? letter);

/** The rules of each language: an email reads like a kind when it holds one phrase of each group of a rule. */
const RULES = Map.groupBy(
  table.rules.map(({ kind, language, all }) => ({
    kind,
    language,
    all: all.map((one) => new RegExp(one, 'u')),
  })),
  ({ language }) => language,
);

/** Languages by the small words that each text of theirs has. */
const LANGUAGES_OF: ReadonlyMap<string, readonly string[]> = Object.entries(languages)
  .flatMap(([language, words]) => splitWords(words).map((word) => ({ word, language })))
  .reduce(
    (all, { word, language }) => all.set(word, [...(all.get(word) ?? []), language]),
    new Map<string, readonly string[]>(),
  );

/** Small words from which a language is one of the text's, and its share of the most frequent one's. */
const MIN_SMALL_WORDS = 2;
const MIN_LANGUAGE_SHARE = 0.25;

/** How much of a text shows its languages, in characters. */
const MAX_SAMPLE = 1200;

/** The languages that a text without marks may be in; where too little shows them, all. */
function languagesOf(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of text.slice(0, MAX_SAMPLE).match(/[a-z]+/g) ?? [])
    for (const language of LANGUAGES_OF.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  if (most < MIN_SMALL_WORDS) return Object.keys(languages);
  return [...counts].flatMap(([language, n]) => (n >= most * MIN_LANGUAGE_SHARE ? [language] : []));
}

/** Such letters are short: how much of a text is read, in characters. */
const MAX_TEXT = 20_000;

/** No word is as long, but addresses are; and rules look for the ends of words. */
const NO_WORD = /(?:^| )[^ ]{60,}/g;

/** The kinds of fraud that a text reads like, which is plain and on one line. */
function fraudKinds(plain: string): readonly string[] {
  const text = withoutMarks(plain.slice(0, MAX_TEXT)).replace(NO_WORD, ' ');
  const rules = [...languagesOf(text), 'any'].flatMap((language) => RULES.get(language) ?? []);
  const found = rules.filter(({ all }) => all.every((one) => one.test(text)));
  return [...new Set(found.map(({ kind }) => kind))];
}

/** Phrases that filters have long known. A weak signal: three of them, or one pattern, count. */
const PHRASES = Object.entries(phrases);

interface PhraseReading {
  readonly phraseIds: readonly string[];
  /** Rules of fraud that count alone. */
  readonly patternIds: readonly string[];
  /** Those that count beside a sign of imitation. */
  readonly wordingIds: readonly string[];
  /** It speaks of the reader's mailbox as its administrator would. */
  readonly isOfMailbox: boolean;
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
  const kinds = fraudKinds(plain);
  return {
    phraseIds,
    patternIds: kinds.filter((id) => KINDS[id]?.alone),
    wordingIds: kinds.filter((id) => !KINDS[id]?.alone && !KINDS[id]?.with),
    isOfMailbox: kinds.includes('mailbox'),
  };
};

// What generators put where the text should be, in lower case.

/** A text that says no more than to look elsewhere is short, in words. */
const MAX_BOILERPLATE_WORDS = 60;

/** Below this share of the HTML's words the text part is another mail. */
export const MIN_SHARED = 0.3;

/** Judges a text part beside the HTML it stands for. */
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

/** The words of a text in lower case, 200,000 at most. Scripts without spaces: a character a word. */
interface Words {
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
