import { organizationalDomain } from '../names/domain-names.ts';
import { toUnicodeLabel } from '../names/homographs.ts';
import {
  BRANDS,
  type Brand,
  brandsAt,
  isNational,
  isRole,
  labelOf,
  ownershipOf,
  toFolded,
  toLatin,
} from './brands.ts';

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

/** A part that is the name, beside anything: `gmx-login-jetzt`. */
const isOneOf = (parts: readonly string[], key: string): boolean =>
  parts.length > 1 && parts.includes(key);

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

/** Owners' labels and brands by the folded label. Made when first asked for: it is a thousand domains. */
let owners: ReadonlyMap<string, readonly { readonly own: string; readonly brand: Brand }[]>;

/** Brands for one of whose domains a label passes by its letters: `steamcommunlty`. */
function passedFor(label: string): ReadonlySet<Brand> {
  owners ??= Map.groupBy(
    BRANDS.flatMap((brand) => brand.domains.map((one) => ({ own: labelOf(one), brand }))),
    ({ own }) => toFolded(own),
  );
  const alike = owners.get(toFolded(label)) ?? [];
  return new Set(
    alike.flatMap(({ own, brand }) => (own.length >= MIN_DOMAIN && own !== label ? [brand] : [])),
  );
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
    BRANDS.some(
      ({ stems, isWord }) =>
        stems.some((stem) => isOneOf(parts, stem)) && (!isWord || parts.some(isOffice)),
    )
  );
}

/** What imitations add to a name, and owners seldom have a domain for. */
const PRESSING =
  /^(?:account|alert|bill|claim|confirm|firmware|konto|legitim|login|notif|pay|rechnung|refund|rewards?$|secur|sicher|signin|support|updat|verif|zahl)/;

/** Whether a domain is the name of who speaks and a pressing office: `Kraken` at `kraken-security.net`. */
export function isCousin(domain: string, displayName: string): boolean {
  const parts = partsOf(domain);
  const named = toLatin(displayName).split(/[^\p{L}\p{N}]+/u);
  const rest = parts.filter((part) => !PRESSING.test(part));
  return (
    !isNational(domain) &&
    rest.length > 0 &&
    rest.length < parts.length &&
    rest.every((part) => named.includes(part)) &&
    !named.some((word) => parts.includes(word) && PRESSING.test(word))
  );
}

/** The brand that a domain was written to be taken for. */
export function lookalikeOf(domain: string, spoken: Brand | undefined): Lookalike | null {
  if (brandsAt(domain).length > 0) return null;
  const parts = partsOf(domain);
  const foldedParts = parts.map(toFolded);
  const passed = passedFor(parts.join('-'));
  const isForeign = (brand: Brand) => ownershipOf(domain, brand) === 'foreign';
  const altered =
    BRANDS.find((one) => isAltered(parts, foldedParts, one, one === spoken) && isForeign(one)) ??
    BRANDS.find((one) => passed.has(one) && isForeign(one));
  if (altered) return { brand: altered, altered: true };
  const labels = domain.slice(0, -organizationalDomain(domain).length).split('.');
  const isHost = ({ key, isWord, partial }: Brand) =>
    !isWord && !partial && key.length >= MIN_SPOKEN && labels.includes(key);
  const borrowed = BRANDS.find((one) => (isBorrowed(parts, one) || isHost(one)) && isForeign(one));
  return borrowed ? { brand: borrowed, altered: false } : null;
}
