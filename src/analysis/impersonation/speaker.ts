import {
  BRANDS,
  type Brand,
  isBrandRole,
  isNational,
  isRole,
  isRoleOfName,
  ownershipOf,
  toFolded,
  toLatin,
} from './brands.ts';

const MAX_NAME_WORDS = 12;

/** Names this short pass for nothing else when a letter is off. */
const MIN_FOLDED = 5;

// `P@yPal`, `Micro$oft`: signs in the place of a letter, but not in an address.
const asLetters = (text: string): string =>
  text.replace(/(?<=\p{L})@(?=\p{L}+(?:[^\p{L}.]|$))/gu, 'a').replace(/(?<=\p{L})\$/gu, 's');

export const wordsOf = (text: string): readonly string[] =>
  toLatin(asLetters(text))
    .split(/[^\p{L}\p{N}|!]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Words that stand side by side, as one: a name is written in one, in several, or letter by letter. */
interface Run {
  readonly text: string;
  readonly folded: string;
  /** Length of its text without the last word. */
  readonly before: number;
  /** The words beside it. */
  readonly rest: readonly string[];
  /** `Shop via PayPal`: the name of who sends for others. */
  readonly isVia: boolean;
}

const LONGEST = Math.max(...BRANDS.map(({ key }) => key.length));

/** All that may be a brand's name, folded once for all brands. */
function runsOf(words: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < words.length; start++) {
    let text = '';
    for (let at = start; at < words.length && text.length < LONGEST; at++) {
      const before = text.length;
      text += words[at];
      const isLast = at + 1 === words.length;
      runs.push({
        text,
        folded: toFolded(text),
        before,
        rest: words.toSpliced(start, at + 1 - start),
        isVia: words[at + 1] === 'via' || (isLast && words[start - 1] === 'via'),
      });
    }
  }
  return runs;
}

/** The words that are a brand's name. */
const nameIn = (runs: readonly Run[], { key, folded, isWord }: Brand): Run | undefined => {
  const isExact = key.length < MIN_FOLDED || isWord;
  return runs.find(
    (run) => run.before < key.length && (run.text === key || (!isExact && run.folded === folded)),
  );
};

/** `PayPalService`: what is left of a word is an office. */
const isJoined = ({ text, folded, before }: Run, brand: Brand): boolean =>
  before === 0 &&
  !brand.isWord &&
  brand.folded.length > MIN_FOLDED &&
  folded.startsWith(brand.folded) &&
  isRole(text.slice(brand.folded.length));

const KEYS = new Set(BRANDS.map(({ key }) => key));

/** An office, or another brand: `DHL Deutsche Post`. */
const saysNoMore = (word: string): boolean => isRoleOfName(word) || KEYS.has(word);

function speaksAs(runs: readonly Run[], brand: Brand): boolean {
  const name = nameIn(runs, brand);
  if (name === undefined) return runs.some((run) => isJoined(run, brand) && run.rest.every(isRole));
  if (brand.isWord) return name.rest.some(isBrandRole) && name.rest.every(saysNoMore);
  return name.isVia || name.rest.every(saysNoMore);
}

/** A name as it is shown: an override turns around what stands behind it (UAX #9). */
const asShown = (text: string): string =>
  text.replace(/\u202e([^\u202c]*)/g, (_, turned: string) => [...turned].reverse().join(''));

const runsIn = (displayName: string): readonly Run[] =>
  runsOf(wordsOf(asShown(displayName)).slice(0, MAX_NAME_WORDS));

/** The brand that a display name speaks as: its name, and nothing beside it but what offices are called. */
export function speakerOf(displayName: string): Brand | undefined {
  const runs = runsIn(displayName);
  // A name and a word that begins with one begin with its first letter.
  const letters = new Set(runs.map(({ folded }) => folded[0]));
  const speaking = BRANDS.filter((brand) => letters.has(brand.folded[0]) && speaksAs(runs, brand));
  // `Amazon Prime` is more than `Amazon`.
  return speaking.toSorted((a, b) => b.key.length - a.key.length)[0];
}

/**
 * Whether a name may be a brand's and the domain a stranger's, as `UPS` at `ups-news.com`: it accuses nobody by
 * itself, since the name may be another's, and the domain one that no list has.
 */
export function maySpeakAs(displayName: string, domain: string): boolean {
  const runs = runsIn(displayName);
  return BRANDS.some(
    (brand) =>
      nameIn(runs, brand)?.rest.every(saysNoMore) &&
      ownershipOf(domain, brand) !== 'own' &&
      !isNational(domain),
  );
}
