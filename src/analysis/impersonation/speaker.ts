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

/** Whether a word passes for a name or begins so. Folding takes letters away, and adds none. */
const foldsTo = (word: string, folded: string, matches: (text: string) => boolean): boolean =>
  word.length >= folded.length && matches(toFolded(word));

/** Which words are a brand's name, written as one word, as several, or letter by letter. */
function placeOf(
  words: readonly string[],
  { key, folded, isWord }: Brand,
): readonly [number, number] | null {
  const isExact = key.length < MIN_FOLDED || isWord;
  for (let start = 0; start < words.length; start++) {
    let joined = '';
    for (let end = start; end < words.length && joined.length < key.length; end++) {
      joined += words[end];
      if (joined === key || (!isExact && foldsTo(joined, folded, (text) => text === folded)))
        return [start, end + 1];
    }
  }
  return null;
}

/** `PayPalService`: what is left of a word is an office. */
const isJoined = (word: string, { folded, isWord }: Brand): boolean =>
  !isWord &&
  folded.length > MIN_FOLDED &&
  foldsTo(word, folded, (text) => text.startsWith(folded)) &&
  isRole(word.slice(folded.length));

const KEYS = new Set(BRANDS.map(({ key }) => key));

/** An office, or another brand: `DHL Deutsche Post`. */
const saysNoMore = (word: string): boolean => isRoleOfName(word) || KEYS.has(word);

function speaksAs(words: readonly string[], brand: Brand): boolean {
  const place = placeOf(words, brand);
  if (place === null)
    return words.some(
      (word, at) => isJoined(word, brand) && words.every((one, i) => i === at || isRole(one)),
    );
  const [start, end] = place;
  const rest = [...words.slice(0, start), ...words.slice(end)];
  if (brand.isWord) return rest.some(isBrandRole) && rest.every(saysNoMore);
  const isVia = words[end] === 'via' || (words[start - 1] === 'via' && end === words.length);
  return isVia || rest.every(saysNoMore);
}

/** A name as it is shown: an override turns around what stands behind it (UAX #9). */
const asShown = (text: string): string =>
  text.replace(/\u202e([^\u202c]*)/g, (_, turned: string) => [...turned].reverse().join(''));

const namesIn = (displayName: string): readonly string[] =>
  wordsOf(asShown(displayName)).slice(0, MAX_NAME_WORDS);

/** The brand that a display name speaks as: its name, and nothing beside it but what offices are called. */
export function speakerOf(displayName: string): Brand | undefined {
  const words = namesIn(displayName);
  const speaking = BRANDS.filter((brand) => speaksAs(words, brand));
  // `Amazon Prime` is more than `Amazon`.
  return speaking.toSorted((a, b) => b.key.length - a.key.length)[0];
}

/**
 * Whether a name may be a brand's and the domain a stranger's, as `UPS` at `ups-news.com`: it accuses nobody by
 * itself, since the name may be another's, and the domain one that no list has.
 */
export function maySpeakAs(displayName: string, domain: string): boolean {
  const words = namesIn(displayName);
  return BRANDS.some((brand) => {
    const [start, end] = placeOf(words, brand) ?? [0, 0];
    const rest = [...words.slice(0, start), ...words.slice(end)];
    const isOwn = ownershipOf(domain, brand) === 'own' || isNational(domain);
    return end > 0 && rest.every(saysNoMore) && !isOwn;
  });
}
