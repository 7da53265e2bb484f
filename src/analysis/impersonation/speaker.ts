/** Finds the brand that a display name claims to be. */

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
import { isBrandRole, isRole, isRoleOfName } from './roles.ts';

const MAX_NAME_WORDS = 12;

/** Shortest name that is still recognised if one of its letters is wrong. */
const MIN_FOLDED = 5;

/**
 * Scripts without spaces, which write a name and its office as one word, and need few characters for the
 * name.
 */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A place where such a script begins or ends beside Latin letters: `Amazonサポート`. */
const SCRIPT_BORDER =
  /(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?=[\p{Script=Latin}\d])/gu;

// Reads symbols as the letters that they replace, but not in an address: `P@yPal`, `Micro$oft`.
const asLetters = (text: string): string =>
  text.replace(/(?<=\p{L})@(?=\p{L}+(?:[^\p{L}.]|$))/gu, 'a').replace(/(?<=\p{L})\$/gu, 's');

export const wordsOf = (text: string): readonly string[] =>
  toLatin(withPlus(asLetters(text)).replace(SCRIPT_BORDER, ' '))
    .split(/[^\p{L}\p{N}|!]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Adjacent words joined into one. People write a name as one word, as several, or letter by letter. */
interface Run {
  readonly text: string;
  readonly folded: string;
  readonly isOneWord: boolean;
  /** The words beside the run. */
  readonly rest: readonly string[];
  /** The name of a platform that sends for others: `Shop via PayPal`. */
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

/** Returns the brands that have a run as their name. */
const namesIn = ({ text, folded }: Run): readonly Brand[] => [
  ...withKey(text),
  ...withFolded(folded).filter(
    (brand) => brand.key !== text && brand.key.length >= MIN_FOLDED && !brand.isWord,
  ),
];

/**
 * Returns the brands with whose name a word begins, if the rest of the word stands for an office:
 * `PayPalService`.
 */
function joinedIn({ text, folded, isOneWord }: Run): readonly Brand[] {
  if (!isOneWord) return [];
  const shortest = WITHOUT_SPACES.test(text) ? 2 : MIN_FOLDED + 1;
  const found: Brand[] = [];
  for (let length = shortest; length < folded.length; length++)
    for (const brand of withFolded(folded.slice(0, length)))
      if (!brand.isWord && isRole(text.slice(length))) found.push(brand);
  return found;
}

/**
 * Returns whether a word adds no meaning: it stands for an office, or for another brand, as in `DHL Deutsche
 * Post`.
 */
const saysNoMore = (word: string): boolean => isRoleOfName(word) || withKey(word).length > 0;

const speaksIn = (run: Run, brand: Brand): boolean =>
  brand.isWord
    ? run.rest.some(isBrandRole) && run.rest.every(saysNoMore)
    : run.isVia || run.rest.every(saysNoMore);

/** Returns a name as it is displayed. A direction override reverses the text after it (UAX #9). */
const asShown = (text: string): string =>
  text.replace(/\u202e([^\u202c]*)/g, (_, turned: string) => [...turned].reverse().join(''));

const runsIn = (displayName: string): readonly Run[] =>
  runsOf(wordsOf(asShown(displayName)).slice(0, MAX_NAME_WORDS));

/**
 * Returns the brand that a display name claims to be: the name contains the brand, and otherwise only words
 * for offices.
 */
export function speakerOf(displayName: string): Brand | undefined {
  const speaking = runsIn(displayName).flatMap((run) => [
    ...namesIn(run).filter((brand) => speaksIn(run, brand)),
    ...(run.rest.every(isRole) ? joinedIn(run) : []),
  ]);
  // `Amazon Prime` says more than `Amazon`.
  return speaking.toSorted((a, b) => b.key.length - a.key.length)[0];
}

/**
 * Returns whether a name may belong to a brand and the domain to a stranger, such as `UPS` at `ups-news.com`.
 * On its own, this accuses nobody, because the name may be someone else's, or the domain may be missing from
 * all lists.
 */
export const maySpeakAs = (displayName: string, domain: string): boolean =>
  !isNational(domain) &&
  runsIn(displayName).some(
    (run) =>
      run.rest.every(saysNoMore) &&
      namesIn(run).some((brand) => ownershipOf(domain, brand) !== 'own'),
  );
