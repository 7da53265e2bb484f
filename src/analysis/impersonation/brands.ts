/**
 * Finds the brands that fraudsters imitate, by name or by domain, determines whether a domain belongs to the
 * owner of a brand, and recognizes words that put pressure on the reader.
 */

import { OWNED } from '../../domain/owners.ts';
import { isFreemail, isUnder, organizationalDomain } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { toFolded, toLatin } from './letters.ts';

/** A brand name that readers trust, and its owner's domains. */
export interface Brand {
  readonly name: string;
  /** The name as one word in Latin letters. In `folded`, its easily confused letters are merged. */
  readonly key: string;
  readonly folded: string;
  /** Registered domains, and top-level domains that belong to the owner alone (`.dhl`). */
  readonly domains: readonly string[];
  /** Domains under which customers of the owner have subdomains of their own. */
  readonly tenants: readonly string[];
  /** Strings that may appear in the names of further domains of the owner. */
  readonly stems: readonly string[];
  /**
   * True if only some of the owner's domains are known, so that other domains may belong to the owner too.
   */
  readonly partial: boolean;
  /**
   * True if the brand is named by an ordinary word or a personal name. It then stands for the brand only
   * together with other words, as in "Chase Online".
   */
  readonly isWord: boolean;
}

/** Returns a text in which each plus sign after a letter is spelled out: `Disney+` becomes `Disney plus`. */
export const withPlus = (text: string): string => text.replace(/(?<=\p{L})\+/gu, ' plus ');

const toKey = (text: string): string => toLatin(withPlus(text)).replace(/[^\p{L}\p{N}]/gu, '');

/** The most imitated brands, and the platforms that send mail for others. */
export const BRANDS: readonly Brand[] = OWNED.map(({ stems, ...owned }) => {
  const key = toKey(owned.name);
  return { ...owned, key, folded: toFolded(key), stems: [key, ...stems] };
});

type Index = ReadonlyMap<string, readonly Brand[]>;

/**
 * Indexes brands by each of their keys, so that an email's words are looked up in a table instead of each
 * brand being searched for in the email.
 */
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
/**
 * Brands by domain, and by domain ending including its dot. An index is needed because an email may contain a
 * thousand hosts.
 */
const BY_DOMAIN = indexBy(BRANDS, ({ domains }) => domains);

export const withKey = (key: string): readonly Brand[] => BY_KEY.get(key) ?? [];
export const withFolded = (folded: string): readonly Brand[] => BY_FOLDED.get(folded) ?? [];
export const withStem = (stem: string): readonly Brand[] => BY_STEM.get(stem) ?? [];

export const labelOf = (domain: string): string =>
  organizationalDomain(domain).split('.', 1)[0] ?? '';

/** Country-code top-level domains that are sold worldwide as generic ones. */
const SOLD = wordSet('ai cc cf co fm ga gg gq io la me ml pw sh st su tk to tv vc ws');

const endingOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/**
 * Returns whether a domain is under a country-code ending. Brand owners register their name in most
 * countries, and no list contains all of these domains.
 */
export function isNational(domain: string): boolean {
  const ending = endingOf(domain);
  return ending.length === 2 && !SOLD.has(ending);
}

/**
 * Matches the beginnings of words that put pressure on the reader. Imitators add such words to a brand name,
 * while owners rarely have them in their domains.
 */
const PRESSING =
  /^(?:abrechn|acces|account|aduana|aggiorn|aktualis|aktualiz|alert|atualiz|autenti|authenti|autoriz|autoryz|beveilig|bill|block|blok|claim|confirm|customs|devoluc|dopla|douane|factur|fattur|firmware|gebuehr|gebuhr|herlever|konto|legitim|login|notif|odblok|oplat|pagam|pagar|paiement|pay|platnos|potwierd|rechnung|redeliver|reembols|refund|rembours|renew|rewards?$|rimbors|secur|segur|sicher|sicurez|signin|support|suspen|terugbeta|updat|verif|verleng|weryf|zahl|zoll|zwrot)/;

export const isPressing = (word: string): boolean => PRESSING.test(word);

/**
 * Returns whether a domain is the brand's name under a country-code ending, without a word that puts pressure
 * on the reader: `dhlparcel.es`, `dpd.co.uk`.
 */
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

/**
 * Returns `own` if a domain belongs to the owner of a brand, `foreign` if it does not, and `unknown` if it
 * may belong to the owner.
 */
export function ownershipOf(domain: string, brand: Brand): 'own' | 'unknown' | 'foreign' {
  if (brand.tenants.some((one) => domain !== one && isUnder(domain, one))) return 'unknown';
  // Anyone can have an address at a freemail domain, so such an address does not prove that an email comes
  // from the brand's owner.
  if (isListed(domain, brand)) return isFreemail(domain) ? 'foreign' : 'own';
  if (isAtHome(domain, brand.key)) return 'unknown';
  if (!brand.partial) return 'foreign';
  const parts = labelOf(domain).split('-');
  const label = parts.join('');
  const mayBe = (stem: string) => (stem.length > 4 ? label.includes(stem) : parts.includes(stem));
  return brand.stems.some(mayBe) ? 'unknown' : 'foreign';
}

/**
 * Returns whether a domain has a generic ending, or a country-code ending under which no domain of the
 * brand's owner is known.
 */
export const isAbroad = (domain: string, { domains }: Brand): boolean =>
  !isNational(domain) || domains.every((one) => endingOf(one) !== endingOf(domain));

/** Returns the brands to whose owners a host is known to belong. */
export function brandsAt(host: string): readonly Brand[] {
  const labels = host.split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return [...names, `.${labels.at(-1)}`].flatMap((name) => BY_DOMAIN.get(name) ?? []);
}
