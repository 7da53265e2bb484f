import type { Classification } from '../../domain/report/message.ts';
import { toOneLine } from '../text/words.ts';
import type { ClassSign } from './header-signs.ts';
import topics from './topics.json' with { type: 'json' };

/** What a text is about, as far as words of many languages show it. */
type Topic = 'offer' | 'issue' | 'appeal' | 'order' | 'account' | 'appointment' | 'notice';

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

type TopicCounts = Readonly<Record<Topic, number>>;

/** How many different phrases of each topic a text holds: never which. */
function countTopics(text: string): TopicCounts {
  const plain = toOneLine(
    text.length > MAX_TOPIC_TEXT
      ? `${text.slice(0, MAX_TOPIC_TEXT / 2)} ${text.slice(-MAX_TOPIC_TEXT / 2)}`
      : text,
  );
  const places = [...plain.matchAll(ANY_TOPIC)].map(({ index }) => index);
  const counts = PATTERNS.map(([topic, spaced, unspaced]) => {
    const found = [...phrasesAt(places, spaced, plain), ...(plain.match(unspaced) ?? [])];
    return [topic, new Set(found.map((phrase) => phrase.trim())).size] as const;
  });
  return Object.fromEntries(counts) as TopicCounts;
}

type MailClass = Classification['class'];

/** What is known of the body besides its words. */
interface BodyShape {
  readonly unsubscribeFound: boolean;
  readonly images: number;
  readonly links: number;
  readonly trackingPixels: number;
  readonly hasHtml: boolean;
  readonly preheader: boolean;
  readonly words: number;
}

/** Signs that must come together before a class is named, and by how much it must lead. */
const ENOUGH = 3;
const LEAD = 1;

/** A topic of the body counts no more than this, however often it comes up: offers stand in receipts too. */
const MOST_OF_BODY: Readonly<Record<Topic, number>> = {
  offer: 2,
  issue: 2,
  appeal: 2,
  order: 4,
  account: 3,
  appointment: 3,
  notice: 2,
};

/** The subject says what the mail is about. */
const MOST_OF_SUBJECT = 5;
const SUBJECT_WEIGHT = 4;

const TOPIC_CLASS: Readonly<Record<Topic, ClassSign['of']>> = {
  offer: 'marketing',
  issue: 'marketing',
  appeal: 'marketing',
  order: 'transactional',
  account: 'transactional',
  appointment: 'transactional',
  notice: 'automatic',
};

const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  offer: 'words of an offer',
  issue: 'words of a newsletter',
  appeal: 'words of an appeal or a survey',
  order: 'words of an order or a payment',
  account: 'words about an account',
  appointment: 'words about an appointment',
  notice: 'words of an automatic notice',
};

/** Less than it takes to name a class: notices have such a link too, and people quote it. */
const UNSUBSCRIBE_WEIGHT = 2;

/** Newsletters are read for a while, in words. */
const LONG_TEXT = 200;

const MANY_IMAGES = 3;
const MANY_LINKS = 5;

/** People write little and with few links. */
const LETTER_LINKS = 2;

const topicSigns = (
  counts: TopicCounts,
  where: string,
  weight: number,
  most: (topic: Topic) => number,
): ClassSign[] =>
  (Object.keys(TOPIC_CLASS) as Topic[])
    .filter((topic) => counts[topic] > 0)
    .map((topic) => ({
      of: TOPIC_CLASS[topic],
      weight: Math.min(most(topic), counts[topic] * weight),
      evidence: `${TOPIC_NAMES[topic]} in the ${where}`,
    }));

/** What the body shows. */
function bodySigns(subject: string, text: string, shape: BodyShape): readonly ClassSign[] {
  const inBody = countTopics(text);
  const signs = [
    ...topicSigns(countTopics(subject), 'subject', SUBJECT_WEIGHT, () => MOST_OF_SUBJECT),
    ...topicSigns(inBody, 'body', 1, (topic) => MOST_OF_BODY[topic]),
  ];
  const add = (of: ClassSign['of'], weight: number, evidence: string) =>
    signs.push({ of, weight, evidence });
  if (shape.unsubscribeFound) add('marketing', UNSUBSCRIBE_WEIGHT, 'unsubscribe link in the body');
  if (shape.hasHtml && shape.images >= MANY_IMAGES && shape.links >= MANY_LINKS)
    add('marketing', 1, 'layout of pictures and links');
  if (shape.preheader) add('marketing', 1, 'preview text written for the inbox');
  if (shape.hasHtml && shape.unsubscribeFound && shape.words >= LONG_TEXT)
    add('marketing', 1, 'a long text with a way out');
  const isBare = shape.images + shape.trackingPixels === 0 && shape.links <= LETTER_LINKS;
  const sells = inBody.offer + inBody.issue + inBody.appeal > 0;
  if (isBare && !shape.unsubscribeFound && !sells) add('personal', 2, 'a letter with few links');
  return signs;
}

/** The sum of what speaks for each class, the strongest first. */
function weigh(signs: readonly ClassSign[]): readonly (readonly [ClassSign['of'], number])[] {
  const sums = new Map<ClassSign['of'], number>();
  for (const { of, weight } of signs) sums.set(of, (sums.get(of) ?? 0) + weight);
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Traces of a list program or of an answering machine outweigh what the text is about. */
const DECISIVE = 5;

/** Below this confidence a class is a guess, and costs nobody anything. */
const SURE = 0.65;

/** Whether receivers will take a mail for bulk mail that its readers must be able to leave. */
export const isBulkMail = ({ class: name, confidence }: Classification): boolean =>
  name === 'marketing' && confidence >= SURE;

const roundShare = (share: number): number => Math.round(share * 100) / 100;

/**
 * What kind of mail it is, as a receiver would sort it. `unknown` when too little speaks for one
 * class, or as much for two.
 */
export function classify(
  headerSigns: readonly ClassSign[],
  subject: string,
  text: string,
  shape: BodyShape,
): Classification {
  const all = [...headerSigns, ...bodySigns(subject, text, shape)];
  const fromHeaders = weigh(headerSigns.filter(({ of }) => of !== 'marketing'));
  const decisive = fromHeaders.find(
    ([of, sum]) => (of === 'discussion_list' || of === 'automatic') && sum >= DECISIVE,
  );
  const sums = weigh(all);
  const [first, second] = decisive
    ? [decisive, undefined]
    : [sums[0], sums.find(([of]) => of !== sums[0]?.[0])];
  const isClear =
    first !== undefined && first[1] >= ENOUGH && first[1] - (second?.[1] ?? 0) >= LEAD;
  const name: MailClass = isClear ? first[0] : 'unknown';
  const total = sums.reduce((sum, [, weight]) => sum + weight, 0);
  return {
    class: name,
    confidence: isClear ? roundShare(Math.min(0.99, first[1] / Math.max(total, ENOUGH + 2))) : 0,
    evidence: all
      .filter(({ of }) => !isClear || of === name)
      .sort((a, b) => b.weight - a.weight)
      .map(({ evidence }) => evidence),
  };
}
