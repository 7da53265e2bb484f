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
import { isRole } from './roles.ts';

/** Shorter names are too like words, above all where no display name says which is meant. */
const MIN_SPOKEN = 5;
const MIN_LENGTH = 6;
/** Other labels of the owner's than the name: no word is so long by accident. */
const MIN_DOMAIN = 8;

/** One letter left out, added or changed. */
export function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return (
    one.slice(at + 1) === other.slice(at) ||
    one.slice(at) === other.slice(at + 1) ||
    one.slice(at + 1) === other.slice(at + 1)
  );
}

/** What is left of a part that holds a name at its beginning or its end. */
const restOf = (part: string, name: string): string | null =>
  part.startsWith(name)
    ? part.slice(name.length)
    : part.endsWith(name)
      ? part.slice(0, -name.length)
      : null;

const isOffice = (word: string): boolean => word.length > 1 && isRole(word);

/** Other letters that pass for the name, alone or beside an office: `paypa1`, `arnazon-konto`. */
function isAltered(
  parts: readonly string[],
  foldedParts: readonly string[],
  { key, folded, isWord }: Brand,
  isSpoken: boolean,
): boolean {
  // `app1e`: nobody writes a word so.
  if (isWord && !isSpoken)
    return parts.some(
      (part, at) => key.length >= MIN_SPOKEN && /\d/.test(part) && foldedParts[at] === folded,
    );
  if (folded.length < (isSpoken ? MIN_SPOKEN : MIN_LENGTH)) return false;
  return parts.some((part, at) => {
    if (restOf(part, key) !== null) return false;
    const own = foldedParts[at] ?? '';
    const rest = restOf(own, folded);
    if (rest === '' || (rest !== null && isOffice(rest))) return true;
    const isNear = folded.length >= MIN_LENGTH && isOneOff(own, folded);
    return isNear && (isSpoken || parts.some((one, i) => i !== at && isOffice(one)));
  });
}

/** A part that is the name, beside offices alone: `dhl-paket`. */
const isBesideOffices = (parts: readonly string[], key: string): boolean =>
  parts.length > 1 && parts.includes(key) && parts.every((part) => part === key || isOffice(part));

/** The name itself, with an office beside it or under another ending: `paypal-secure`, `paypal.xyz`. */
function isBorrowed(parts: readonly string[], { key, isWord, partial }: Brand): boolean {
  if (isWord || partial) return false;
  if (isBesideOffices(parts, key)) return true;
  if (key.length < MIN_SPOKEN) return false;
  if (parts.join('') === key) return true;
  return parts.some((part, at) => {
    const rest = restOf(part, key);
    if (rest === null || rest === '' || !isOffice(rest)) return false;
    return parts.every((one, i) => i === at || isOffice(one));
  });
}

/** The text without one of its letters, in all ways. */
const withoutOne = (text: string): readonly string[] =>
  Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));

interface Tables {
  /** By the folded name, and by the same without a letter: two that share one are a letter apart. */
  readonly near: ReadonlyMap<string, readonly Brand[]>;
  /** By the folded labels of their domains that are too long to be a word by accident. */
  readonly labels: ReadonlyMap<string, readonly Brand[]>;
}

let tables: Tables | undefined;

/** Made when first asked for: it is some thousand names. */
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

/** Brands for one of whose domains a label passes by its letters: `steamcommunlty`. */
const passedFor = (label: string): readonly Brand[] =>
  (tablesOf().labels.get(toFolded(label)) ?? []).filter(({ domains }) =>
    domains.every((one) => labelOf(one) !== label),
  );

/** Beginnings and ends of a part, and itself. */
const piecesOf = (part: string): readonly string[] => [
  part,
  ...Array.from(part, (_, at) => [part.slice(0, at), part.slice(at)]).flat(),
];

/** Brands that parts of a label may be written to be taken for. */
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
  /** Other letters than the brand's: no accident, and no domain that a list may lack. */
  readonly altered: boolean;
}

const partsOf = (domain: string): readonly string[] =>
  toLatin(toUnicodeLabel(labelOf(domain)))
    .split('-')
    .filter(Boolean);

/** Whether a domain may be a stranger's as well as that of a brand, as `sparkasse-login.net` is. */
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

/** Whether a domain is the name of who speaks and a pressing office: `Kraken` at `kraken-security.net`. */
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

/** The brand that a domain was written to be taken for. */
export function lookalikeOf(domain: string, spoken: Brand | undefined): Lookalike | null {
  if (brandsAt(domain).length > 0) return null;
  const parts = partsOf(domain);
  const foldedParts = parts.map(toFolded);
  const candidates = candidatesFor(parts, foldedParts);
  const isForeign = (brand: Brand) => ownershipOf(domain, brand) === 'foreign';
  const altered =
    candidates.find(
      (one) => isAltered(parts, foldedParts, one, one === spoken) && isForeign(one),
    ) ?? passedFor(parts.join('-')).find(isForeign);
  if (altered) return { brand: altered, altered: true };
  const labels = domain.slice(0, -organizationalDomain(domain).length).split('.');
  const isHost = ({ key, isWord, partial }: Brand) =>
    !isWord && !partial && key.length >= MIN_SPOKEN && labels.includes(key);
  const borrowed = [...candidates, ...labels.flatMap(withKey)].find(
    (one) => (isBorrowed(parts, one) || isHost(one)) && isForeign(one),
  );
  return borrowed ? { brand: borrowed, altered: false } : null;
}
