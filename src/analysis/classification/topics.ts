/** Counts the phrases in a text that show its topic, such as an offer or an order. */

import { toOneLine } from '../text/words.ts';
import { speaksOfUnsubscribing } from '../unsubscribe/list-unsubscribe.ts';
import topics from './topics.json' with { type: 'json' };

/** The topic of a text, as shown by phrases in many languages. */
export type Topic = 'offer' | 'issue' | 'appeal' | 'order' | 'account' | 'appointment' | 'notice';

/**
 * Patterns of phrases, keyed by topic, in lower case like the text that they are compared with. An `offer`,
 * an `issue` of a newsletter and an `appeal` go to many people. An `order`, an `account` and an `appointment`
 * concern one reader. A `notice` is written by a machine.
 */
const TOPICS: Readonly<Record<Topic, readonly string[]>> = topics;

/** Maximum number of characters of a text that are read, half from its beginning and half from its end. */
const MAX_TOPIC_TEXT = 20_000;

const asWords = (patterns: string): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${patterns})(?![\p{L}\p{N}])`;

const PATTERNS = Object.entries(TOPICS).map(
  ([topic, patterns]) =>
    [
      topic as Topic,
      new RegExp(asWords(patterns.join('|')), 'uy'),
      // Scripts without spaces between words have no word boundaries that a pattern could match.
      new RegExp(
        patterns.flatMap((one) => one.split('|').filter(isUnspaced)).join('|') || '(?!)',
        'gu',
      ),
    ] as const,
);

/**
 * Matches the positions at which a phrase of any topic begins. A single pass serves all topics, and the first
 * letter rules out most positions.
 */
const ANY_TOPIC = new RegExp(
  `(?=${asWords(byFirstLetter(Object.values(TOPICS).flat().flatMap(alternativesOf)))})`,
  'gu',
);

/** Returns a pattern with the same alternatives, grouped by their first letter. */
function byFirstLetter(alternatives: readonly string[]): string {
  const groups = Map.groupBy(alternatives, (one) => /^\p{Ll}(?![?*+{])/u.exec(one)?.[0] ?? '');
  return [...groups]
    .map(([letter, all]) => `${letter}(?:${all.map((one) => one.slice(letter.length)).join('|')})`)
    .join('|');
}

/** Returns the top-level alternatives of a pattern. Alternatives within its groups are not split. */
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

/** Yields the same phrases as a global search, but searches only at the given positions. */
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

/** Maximum length of a line that counts as an offer to unsubscribe, in characters. */
const MAX_WAY_OUT = 400;

/**
 * Removes the lines that offer to unsubscribe. Those lines say nothing about the topic, because a check asks
 * every bulk sender for them.
 */
function withoutWayOut(text: string): string {
  if (!speaksOfUnsubscribing(text)) return text;
  return text
    .split('\n')
    .filter((line) => line.length > MAX_WAY_OUT || !speaksOfUnsubscribing(line))
    .join('\n');
}

/** Returns how many different phrases of each topic a text contains, but never which ones. */
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
