import { OWNED } from '../../domain/owners.ts';
import { isFreemail, isUnder, organizationalDomain } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { toFolded, toLatin } from './letters.ts';

/** A name that readers trust, and who its owner is. */
export interface Brand {
  readonly name: string;
  /** The name as one word in Latin letters, and the same folded. */
  readonly key: string;
  readonly folded: string;
  /** Registered domains, and endings that are the owner's alone (`.dhl`). */
  readonly domains: readonly string[];
  /** Domains below which customers of the owner have names of their own. */
  readonly tenants: readonly string[];
  /** What may be in names of domains that are the owner's too. */
  readonly stems: readonly string[];
  /** The domains are known in part: others may be the owner's. */
  readonly partial: boolean;
  /** A word or a name of its own: it says something beside others alone, as in "Chase Online". */
  readonly isWord: boolean;
}

/** `Disney+` is read as `Disney Plus`. */
export const withPlus = (text: string): string => text.replace(/(?<=\p{L})\+/gu, ' plus ');

const toKey = (text: string): string => toLatin(withPlus(text)).replace(/[^\p{L}\p{N}]/gu, '');

/** What is imitated most, and the platforms that send for others. */
export const BRANDS: readonly Brand[] = OWNED.map(({ stems, ...owned }) => {
  const key = toKey(owned.name);
  return { ...owned, key, folded: toFolded(key), stems: [key, ...stems] };
});

type Index = ReadonlyMap<string, readonly Brand[]>;

/** Brands by each of their keys: an email is looked up in these tables, and no brand in an email. */
export function indexBy(
  brands: readonly Brand[],
  keysOf: (brand: Brand) => readonly string[],
): Index {
  const index = new Map<string, Brand[]>();
  for (const brand of brands)
    for (const key of new Set(keysOf(brand))) {
      const found = index.get(key);
      if (found) found.push(brand);
      else index.set(key, [brand]);
    }
  return index;
}

const BY_KEY = indexBy(BRANDS, ({ key }) => [key]);
const BY_FOLDED = indexBy(BRANDS, ({ folded }) => [folded]);
const BY_STEM = indexBy(BRANDS, ({ stems }) => stems);
/** By domain, and by ending with its dot: an email may have a thousand hosts. */
const BY_DOMAIN = indexBy(BRANDS, ({ domains }) => domains);

export const withKey = (key: string): readonly Brand[] => BY_KEY.get(key) ?? [];
export const withFolded = (folded: string): readonly Brand[] => BY_FOLDED.get(folded) ?? [];
export const withStem = (stem: string): readonly Brand[] => BY_STEM.get(stem) ?? [];

export const labelOf = (domain: string): string =>
  organizationalDomain(domain).split('.', 1)[0] ?? '';

/** Country-code domains that are sold worldwide as generic ones. */
const SOLD = wordSet('ai cc cf co fm ga gg gq io la me ml pw sh st su tk to tv vc ws');

const endingOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/** An owner has its name in most countries, and no list holds all of them. */
export function isNational(domain: string): boolean {
  const ending = endingOf(domain);
  return ending.length === 2 && !SOLD.has(ending);
}

/** What imitations add to a name, and owners seldom have a domain for. */
const PRESSING =
  /^(?:abrechn|acces|account|aduana|aggiorn|aktualis|aktualiz|alert|atualiz|autenti|authenti|autoriz|autoryz|beveilig|bill|block|blok|claim|confirm|customs|devoluc|dopla|douane|factur|fattur|firmware|gebuehr|gebuhr|herlever|konto|legitim|login|notif|odblok|oplat|pagam|pagar|paiement|pay|platnos|potwierd|rechnung|redeliver|reembols|refund|rembours|renew|rewards?$|rimbors|secur|segur|sicher|sicurez|signin|support|suspen|terugbeta|updat|verif|verleng|weryf|zahl|zoll|zwrot)/;

export const isPressing = (word: string): boolean => PRESSING.test(word);

/** `dhlparcel.es`, `dpd.co.uk`: the name in a country, with nothing beside it that presses the reader. */
function isAtHome(domain: string, key: string): boolean {
  if (!isNational(domain) || key.length < 3) return false;
  const parts = labelOf(domain).split('-');
  if (parts.join('') === key) return true;
  return parts.some(
    (part, at) =>
      part.startsWith(key) &&
      !isPressing(part.slice(key.length)) &&
      parts.every((one, i) => i === at || !isPressing(one)),
  );
}

const isListed = (domain: string, { domains }: Brand): boolean =>
  domains.some((one) => (one.startsWith('.') ? domain.endsWith(one) : isUnder(domain, one)));

/** Whether a domain is of the owner of a brand, as far as it is known. */
export function ownershipOf(domain: string, brand: Brand): 'own' | 'unknown' | 'foreign' {
  if (brand.tenants.some((one) => domain !== one && isUnder(domain, one))) return 'unknown';
  // Where anybody can have an address, the owner of the host speaks of it.
  if (isListed(domain, brand)) return isFreemail(domain) ? 'foreign' : 'own';
  if (isAtHome(domain, brand.key)) return 'unknown';
  if (!brand.partial) return 'foreign';
  const parts = labelOf(domain).split('-');
  const label = parts.join('');
  const mayBe = (stem: string) => (stem.length > 4 ? label.includes(stem) : parts.includes(stem));
  return brand.stems.some(mayBe) ? 'unknown' : 'foreign';
}

/** Whether a domain is under an ending that the owner has no known domain under. */
export const isAbroad = (domain: string, { domains }: Brand): boolean =>
  !isNational(domain) || domains.every((one) => endingOf(one) !== endingOf(domain));

/** The brands whose domain a host is, as far as they are known. */
export function brandsAt(host: string): readonly Brand[] {
  const labels = host.split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return [...names, `.${labels.at(-1)}`].flatMap((name) => BY_DOMAIN.get(name) ?? []);
}
