/**
 * Recognizes domains that imitate, or may imitate, the name or domain of a brand, such as `paypa1.com`, and
 * those that add a word of pressure to the sender's display name.
 */

import { organizationalDomain } from '../names/domain-names.ts';
import { toUnicodeLabel } from '../names/homographs.ts';
import {
  BRANDS,
  type Brand,
  brandsAt,
  indexBy,
  isNational,
  isPressing,
  labelOf,
  ownershipOf,
  withFolded,
  withKey,
  withStem,
} from './brands.ts';
import { toFolded, toLatin } from './letters.ts';
import { isOneOff, withoutOne } from './one-letter.ts';
import { isJoinedRole, isRole } from './roles.ts';

/**
 * Length of the shortest brand name that is compared if the display name says which brand is meant. Shorter
 * names are too similar to ordinary words.
 */
const MIN_SPOKEN = 5;
const MIN_LENGTH = 6;
/**
 * Length of the shortest label of an owner's domain that counts although it is not the brand's name. No word
 * of this length matches it by accident.
 */
const MIN_DOMAIN = 8;

/** Returns the rest of a label part that begins or ends with a brand name, or null if it does neither. */
const restOf = (part: string, name: string): string | null =>
  part.startsWith(name)
    ? part.slice(name.length)
    : part.endsWith(name)
      ? part.slice(0, -name.length)
      : null;

const isOffice = (word: string): boolean => word.length > 1 && isRole(word);

const isJoinedOffice = (rest: string): boolean => rest.length > 1 && isJoinedRole(rest);

/**
 * Returns whether a word is a misspelt brand name: one letter is left out, added or changed, but not the
 * first, because readers notice that `switch` is not Twitch, and `cloud` not iCloud.
 */
const isMisspelt = (word: string, folded: string): boolean =>
  folded.length >= MIN_LENGTH && word[0] === folded[0] && isOneOff(word, folded);

/** Returns whether a word is a brand name in which one letter is doubled. */
const isDoubled = (word: string, folded: string): boolean =>
  folded.length >= MIN_LENGTH &&
  word.length === folded.length + 1 &&
  Array.from(folded, (letter, at) => folded.slice(0, at) + letter + folded.slice(at)).includes(
    word,
  );

/** The brands that an email speaks of. */
interface Speech {
  /** The brand that the display name claims to be. */
  readonly spoken: Brand | undefined;
  /** Returns whether the email mentions a brand's owner by name. */
  readonly names: (brand: Brand) => boolean;
}

/**
 * Returns whether a domain spells a brand's name in altered letters, with or without a role word such as
 * `konto`: `paypa1`, `arnazon-konto`. Many words and companies' names differ by a single letter from a brand
 * that has nothing to do with them, such as `paypay`. A misspelling therefore counts only if the email
 * mentions the brand.
 */
function isAltered(
  parts: readonly string[],
  foldedParts: readonly string[],
  brand: Brand,
  { spoken, names }: Speech,
): boolean {
  const { key, folded, isWord } = brand;
  const isSpoken = brand === spoken;
  // Nobody writes an ordinary word with a digit in it, such as `app1e`, unless it imitates a brand.
  if (isWord && !isSpoken)
    return parts.some(
      (part, at) => key.length >= MIN_SPOKEN && /\d/.test(part) && foldedParts[at] === folded,
    );
  if (folded.length < (isSpoken ? MIN_SPOKEN : MIN_LENGTH)) return false;
  return parts.some((part, at) => {
    const own = foldedParts[at] ?? '';
    // Nobody's own name doubles a letter of a brand's, as `paypall` does.
    if (isDoubled(own, folded) && parts.every((one, i) => i === at || isOffice(one))) return true;
    if (restOf(part, key) !== null) return false;
    const rest = restOf(own, folded);
    if (rest === '' || (rest !== null && isJoinedOffice(rest))) return true;
    if (!isMisspelt(own, folded)) return false;
    return isSpoken || (parts.some((one, i) => i !== at && isOffice(one)) && names(brand));
  });
}

/**
 * Returns whether one part of a label equals the brand name and all other parts are role words: `dhl-paket`.
 */
const isBesideOffices = (parts: readonly string[], key: string): boolean =>
  parts.length > 1 && parts.includes(key) && parts.every((part) => part === key || isOffice(part));

/**
 * Returns whether a domain is the brand's name itself, with a role word added or under another ending:
 * `paypal-secure`, `paypal.xyz`.
 */
function isBorrowed(parts: readonly string[], { key, isWord, partial }: Brand): boolean {
  if (isWord || partial) return false;
  if (isBesideOffices(parts, key)) return true;
  if (key.length < MIN_SPOKEN) return false;
  if (parts.join('') === key) return true;
  return parts.some((part, at) => {
    const rest = restOf(part, key);
    if (rest === null || rest === '' || !isJoinedOffice(rest)) return false;
    return parts.every((one, i) => i === at || isOffice(one));
  });
}

interface Tables {
  /**
   * Brands by their folded name, and by that name with each of its letters left out. Names that differ by one
   * letter share such a key.
   */
  readonly near: ReadonlyMap<string, readonly Brand[]>;
  /**
   * Brands by the folded labels of their domains. Only labels that are too long to match a word by accident
   * are included.
   */
  readonly labels: ReadonlyMap<string, readonly Brand[]>;
}

let tables: Tables | undefined;

/** Returns the lookup tables, which are built on first use because they contain thousands of names. */
const tablesOf = (): Tables => {
  tables ??= {
    near: indexBy(
      BRANDS.filter(({ folded, isWord }) => folded.length >= MIN_SPOKEN && !isWord),
      ({ folded }) => [folded, ...withoutOne(folded)],
    ),
    labels: indexBy(BRANDS, ({ domains }) =>
      domains
        .map(labelOf)
        .filter(({ length }) => length >= MIN_DOMAIN)
        .map(toFolded),
    ),
  };
  return tables;
};

/** Returns the brands with a domain that the label imitates, as `steamcommunlty` does. */
const passedFor = (label: string): readonly Brand[] =>
  (tablesOf().labels.get(toFolded(label)) ?? []).filter(({ domains }) =>
    domains.every((one) => labelOf(one) !== label),
  );

/** Returns a part of a label, and all of its beginnings and ends. */
const piecesOf = (part: string): readonly string[] => [
  part,
  ...Array.from(part, (_, at) => [part.slice(0, at), part.slice(at)]).flat(),
];

/** Returns the brands that parts of a label may imitate. */
function candidatesFor(parts: readonly string[], foldedParts: readonly string[]): readonly Brand[] {
  const { near } = tablesOf();
  return [
    ...withKey(parts.join('')),
    ...parts.flatMap(piecesOf).flatMap(withKey),
    ...foldedParts.flatMap(piecesOf).flatMap(withFolded),
    ...foldedParts
      .flatMap((one) => [one, ...withoutOne(one)])
      .flatMap((one) => near.get(one) ?? []),
  ];
}

interface Lookalike {
  readonly brand: Brand;
  /**
   * True if the domain spells the brand in altered letters. It is then neither a coincidence nor a domain of
   * the owner that the list lacks.
   */
  readonly altered: boolean;
}

const partsOf = (domain: string): readonly string[] =>
  toLatin(toUnicodeLabel(labelOf(domain)))
    .split('-')
    .filter(Boolean);

/** Returns whether a domain may belong to a stranger or to a brand, such as `sparkasse-login.net`. */
export function mayBeLookalike(domain: string): boolean {
  const parts = partsOf(domain);
  return (
    brandsAt(domain).length === 0 &&
    !isNational(domain) &&
    parts.length > 1 &&
    parts.some((part) =>
      withStem(part).some(
        ({ isWord }) => !isWord || parts.some((one) => isOffice(one) || isPressing(one)),
      ),
    )
  );
}

/**
 * Returns whether a domain is the display name plus a word that puts pressure on the reader: `Kraken` at
 * `kraken-security.net`.
 */
export function isCousin(domain: string, displayName: string): boolean {
  const parts = partsOf(domain);
  const named = toLatin(displayName).split(/[^\p{L}\p{N}]+/u);
  const rest = parts.filter((part) => !isPressing(part));
  return (
    !isNational(domain) &&
    rest.length > 0 &&
    rest.length < parts.length &&
    rest.every((part) => named.includes(part)) &&
    !named.some((word) => parts.includes(word) && isPressing(word))
  );
}

/** Returns the brand that a domain imitates in an email, or null if it imitates none. */
export function lookalikeOf(domain: string, speech: Speech): Lookalike | null {
  if (brandsAt(domain).length > 0) return null;
  const parts = partsOf(domain);
  const foldedParts = parts.map(toFolded);
  const candidates = candidatesFor(parts, foldedParts);
  const isForeign = (brand: Brand) => ownershipOf(domain, brand) === 'foreign';
  const altered =
    candidates.find((one) => isAltered(parts, foldedParts, one, speech) && isForeign(one)) ??
    passedFor(parts.join('-')).find(isForeign);
  if (altered) return { brand: altered, altered: true };
  const labels = domain.slice(0, -organizationalDomain(domain).length).split('.');
  const isHost = ({ key, isWord, partial }: Brand) =>
    !isWord && !partial && key.length >= MIN_SPOKEN && labels.includes(key);
  const borrowed = [...candidates, ...labels.flatMap(withKey)].find(
    (one) => (isBorrowed(parts, one) || isHost(one)) && isForeign(one),
  );
  return borrowed ? { brand: borrowed, altered: false } : null;
}
