import { toOneLine } from '../text/words.ts';
import { speaksOfUnsubscribing } from '../unsubscribe/list-unsubscribe.ts';
import topics from './topics.json' with { type: 'json' };

/** What a text is about, as far as words of many languages show it. */
export type Topic = 'offer' | 'issue' | 'appeal' | 'order' | 'account' | 'appointment' | 'notice';

/**
 * Patterns by topic. An `offer`, an `issue` of a newsletter and an `appeal` go to many; an `order`, an
 * `account` and an `appointment` concern one reader; a `notice` is written by a machine.
 */
const TOPICS: Readonly<Record<Topic, readonly string[]>> = topics;

/** How much of a text is read, in characters: what a mail is about stands at its beginning and end. */
const MAX_TOPIC_TEXT = 20_000;

const asWords = (patterns: string): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${patterns})(?![\p{L}\p{N}])`;

const PATTERNS = Object.entries(TOPICS).map(
  ([topic, patterns]) =>
    [
      topic as Topic,
      new RegExp(asWords(patterns.join('|')), 'iuy'),
      // Scripts without spaces have no words' ends.
      new RegExp(
        patterns.flatMap((one) => one.split('|').filter(isUnspaced)).join('|') || '(?!)',
        'gu',
      ),
    ] as const,
);

/** Where a phrase of any topic begins: one pass for all, in which a first letter rules most of them out. */
const ANY_TOPIC = new RegExp(
  `(?=${asWords(byFirstLetter(Object.values(TOPICS).flat().flatMap(alternativesOf)))})`,
  'giu',
);

/** The same alternatives, in another order: those that begin with one letter together behind it. */
function byFirstLetter(alternatives: readonly string[]): string {
  const groups = Map.groupBy(alternatives, (one) => /^\p{Ll}(?![?*+{])/u.exec(one)?.[0] ?? '');
  return [...groups]
    .map(([letter, all]) => `${letter}(?:${all.map((one) => one.slice(letter.length)).join('|')})`)
    .join('|');
}

/** A pattern's own alternatives, those of its groups left whole. */
function alternativesOf(pattern: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const [piece] of pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|./gsu)) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** As a global search finds them, but only where something begins. */
function* phrasesAt(places: readonly number[], pattern: RegExp, text: string): Generator<string> {
  let end = 0;
  for (const at of places) {
    if (at < end) continue;
    pattern.lastIndex = at;
    const phrase = pattern.exec(text)?.[0];
    if (phrase === undefined) continue;
    end = at + phrase.length;
    yield phrase;
  }
}

function isUnspaced(word: string): boolean {
  return /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+$/u.test(word);
}

export type TopicCounts = Readonly<Record<Topic, number>>;

/** A line that speaks of unsubscribing and is no longer is the way out itself, in characters. */
const MAX_WAY_OUT = 400;

/** The lines that offer a way out say nothing of the subject: a check asks for them. */
function withoutWayOut(text: string): string {
  if (!speaksOfUnsubscribing(text)) return text;
  return text
    .split('\n')
    .filter((line) => line.length > MAX_WAY_OUT || !speaksOfUnsubscribing(line))
    .join('\n');
}

/** How many different phrases of each topic a text has: never which. */
export function countTopics(text: string): TopicCounts {
  const read =
    text.length > MAX_TOPIC_TEXT
      ? `${text.slice(0, MAX_TOPIC_TEXT / 2)} ${text.slice(-MAX_TOPIC_TEXT / 2)}`
      : text;
  const plain = toOneLine(withoutWayOut(read));
  const places = [...plain.matchAll(ANY_TOPIC)].map(({ index }) => index);
  const counts = PATTERNS.map(([topic, spaced, unspaced]) => {
    const found = [...phrasesAt(places, spaced, plain), ...(plain.match(unspaced) ?? [])];
    return [topic, new Set(found.map((phrase) => phrase.trim())).size] as const;
  });
  return Object.fromEntries(counts) as TopicCounts;
}
