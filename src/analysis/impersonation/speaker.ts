/**
 * Finds the brand that the display name of an email claims to be, or may claim to be at a stranger's domain.
 */

import {
  BRANDS,
  type Brand,
  isNational,
  ownershipOf,
  withFolded,
  withKey,
  withPlus,
} from './brands.ts';
import { toFolded, toLatin } from './letters.ts';
import { isBrandRole, isJoinedRole, isRole, isRoleOfName } from './roles.ts';

const MAX_NAME_WORDS = 12;

/** Length of the shortest name that is still recognized if look-alike letters replace some of its own. */
const MIN_FOLDED = 5;

/**
 * Matches characters of scripts without spaces. Such scripts write a name and a role word as one word, and
 * need few characters for the name.
 */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Matches the border between Latin letters and a script without spaces, as in `Amazonサポート`. */
const SCRIPT_BORDER =
  /(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?=[\p{Script=Latin}\d])/gu;

// Reads symbols as the letters that they replace, but not in an address: `P@yPal`, `Micro$oft`.
const asLetters = (text: string): string =>
  text.replace(/(?<=\p{L})@(?=\p{L}+(?:[^\p{L}.]|$))/gu, 'a').replace(/(?<=\p{L})\$/gu, 's');

export const wordsOf = (text: string): readonly string[] =>
  toLatin(withPlus(asLetters(text)).replace(SCRIPT_BORDER, ' '))
    .split(/[^\p{L}\p{N}|!]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/**
 * Adjacent words of a display name, joined into one. People write a name as one word, as several, or letter
 * by letter.
 */
interface Run {
  readonly text: string;
  readonly folded: string;
  readonly isOneWord: boolean;
  /** The other words of the display name. */
  readonly rest: readonly string[];
  /** True if the run names a platform that sends for others: `Shop via PayPal`. */
  readonly isVia: boolean;
}

const LONGEST = Math.max(...BRANDS.map(({ key }) => key.length));

/** Returns every run of words that may be a brand's name. */
function runsOf(words: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < words.length; start++) {
    let text = '';
    for (let at = start; at < words.length && text.length < LONGEST; at++) {
      text += words[at];
      const isLast = at + 1 === words.length;
      runs.push({
        text,
        folded: toFolded(text),
        isOneWord: at === start,
        rest: words.toSpliced(start, at + 1 - start),
        isVia: words[at + 1] === 'via' || (isLast && words[start - 1] === 'via'),
      });
    }
  }
  return runs;
}

/** Returns the brands whose name a run of words matches. */
const namesIn = ({ text, folded }: Run): readonly Brand[] => [
  ...withKey(text),
  ...withFolded(folded).filter(
    (brand) => brand.key !== text && brand.key.length >= MIN_FOLDED && !brand.isWord,
  ),
];

/** Returns the brands with whose name a word begins, if the rest of it is a role word: `PayPalService`. */
function joinedIn({ text, folded, isOneWord }: Run): readonly Brand[] {
  if (!isOneWord) return [];
  const shortest = WITHOUT_SPACES.test(text) ? 2 : MIN_FOLDED + 1;
  const found: Brand[] = [];
  for (let length = shortest; length < folded.length; length++)
    for (const brand of withFolded(folded.slice(0, length)))
      if (!brand.isWord && isJoinedRole(text.slice(length))) found.push(brand);
  return found;
}

/**
 * Returns whether a word adds no meaning because it is a role word, or the name of another brand, as in `DHL
 * Deutsche Post`.
 */
const saysNoMore = (word: string): boolean => isRoleOfName(word) || withKey(word).length > 0;

const speaksIn = (run: Run, brand: Brand): boolean =>
  brand.isWord
    ? run.rest.some(isBrandRole) && run.rest.every(saysNoMore)
    : run.isVia || run.rest.every(saysNoMore);

/**
 * Returns a name as it is displayed. A right-to-left override reverses the text that follows it (UAX #9).
 */
const asShown = (text: string): string =>
  text.replace(/\u202e([^\u202c]*)/g, (_, turned: string) => [...turned].reverse().join(''));

const runsIn = (displayName: string): readonly Run[] =>
  runsOf(wordsOf(asShown(displayName)).slice(0, MAX_NAME_WORDS));

/**
 * Returns the brand that a display name claims to be. Besides the brand, such a name contains only role
 * words.
 */
export function speakerOf(displayName: string): Brand | undefined {
  const speaking = runsIn(displayName).flatMap((run) => [
    ...namesIn(run).filter((brand) => speaksIn(run, brand)),
    ...(run.rest.every(isRole) ? joinedIn(run) : []),
  ]);
  // The longest name is the most specific: `Amazon Prime` says more than `Amazon`.
  return speaking.toSorted((a, b) => b.key.length - a.key.length)[0];
}

/**
 * Returns whether a display name may be a brand's and the domain a stranger's, such as `UPS` at
 * `ups-news.com`. This alone is no accusation, because someone else may have the same name, or the domain may
 * be missing from all lists.
 */
export const maySpeakAs = (displayName: string, domain: string): boolean =>
  !isNational(domain) &&
  runsIn(displayName).some(
    (run) =>
      run.rest.every(saysNoMore) &&
      namesIn(run).some((brand) => ownershipOf(domain, brand) !== 'own'),
  );
