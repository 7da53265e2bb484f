import { isFreemail, isUnder, organizationalDomain } from '../names/domain-names.ts';
import { splitWords, wordSet } from '../syntax/words.ts';
import table from './brands.json' with { type: 'json' };

/** Letters of other scripts, and digits, by the Latin letter they pass for (UTS #39, a part of it). */
const LATIN_FOR: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', һ: 'h' },
  ...{ ԁ: 'd', ԛ: 'q', ԝ: 'w', в: 'b', к: 'k', м: 'm', н: 'h', т: 't', ӏ: 'l', ь: 'b' },
  ...{ α: 'a', ο: 'o', ν: 'v', τ: 't', ρ: 'p', υ: 'u', κ: 'k', ι: 'i', ε: 'e', η: 'n', χ: 'x' },
  ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ӓ: 'a', ё: 'e' },
};

const DIGIT_FOR: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 5: 's' };

const mapped = (text: string, table: Readonly<Record<string, string>>): string =>
  text.replace(/[^a-z]/g, (char) => table[char] ?? char);

/** What a reader takes a text for: lower case, without accents, in Latin letters. */
export const toLatin = (text: string): string =>
  mapped(
    text.replace(/[™℠]/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    LATIN_FOR,
  );

/** The same of a label of a domain, whose digits pass for letters as well. */
export const toSkeleton = (label: string): string =>
  mapped(toLatin(label), DIGIT_FOR).replace(/rn/g, 'm').replace(/vv/g, 'w');

/** The same, with the letters as one that are told apart least: what a hasty reader takes a word for. */
export const toFolded = (label: string): string =>
  toSkeleton(label).replace(/[i|!]/g, 'l').replaceAll('4', 'a').replaceAll('8', 'b');

const ALIKE = Object.keys(LATIN_FOR)
  .filter((char) => !/\p{Script=Latin}/u.test(char))
  .join('');

/** A Latin letter right after one that only passes for Latin, within a word that all reads as Latin. */
const MIXED = new RegExp(`[${ALIKE}${ALIKE.toUpperCase()}]\\p{Script=Latin}`, 'u');
const ALL_LATIN = new RegExp(`^[\\p{Script=Latin}\\p{M}${ALIKE}${ALIKE.toUpperCase()}]+$`, 'u');

/**
 * Whether a word mixes scripts so that nobody sees it. A Latin word with the ending of another
 * language is no such word: there the other letters come last. Nor is a word of another language with
 * one letter typed on the wrong keyboard.
 */
export const hasMixedWord = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}]+/u).some((one) => ALL_LATIN.test(one) && MIXED.test(one));

// Zero-width space, word joiner, byte order mark, and variation selectors, between Latin letters.
const HIDDEN = /[a-z](?:\u200b|\u2060|\ufeff|[\ufe00-\ufe0f])+[a-z]/giu;

/** Words with an invisible character in them from which it is no accident. */
const MANY_HIDDEN = 3;

/** Whether invisible characters split words, which keeps filters from reading them. */
export const hasSplitWords = (text: string): boolean =>
  (text.match(HIDDEN)?.length ?? 0) >= MANY_HIDDEN;

/** A name that readers trust, and who its owner is. */
export interface Brand {
  readonly name: string;
  /** The name as one word in Latin letters, and the same folded. */
  readonly key: string;
  readonly folded: string;
  /** Registered domains, and endings that are the owner's alone (`.dhl`). */
  readonly domains: readonly string[];
  /** What stands in names of domains that may be the owner's too. */
  readonly stems: readonly string[];
  /** The domains are known in part, or by no source: such a name alone accuses nobody. */
  readonly partial: boolean;
  /** A word or a name of its own: it says something beside others alone, as in "Chase Online". */
  readonly isWord: boolean;
}

const toKey = (text: string): string => toLatin(text).replace(/[^\p{L}\p{N}]/gu, '');

interface Row {
  readonly name: string;
  readonly word?: boolean;
  /** Whose domains are this name's as well. */
  readonly of?: string;
  readonly sources?: string;
  readonly domains?: string;
  readonly stems?: string;
}

const ROWS = table.brands as readonly Row[];

const ownerOf = (row: Row): Row => ROWS.find(({ name }) => name === row.of) ?? row;

/** What is imitated most. The sources that were read for a name stand beside it, by letter. */
export const BRANDS: readonly Brand[] = ROWS.map((row) => {
  const { name, word = false } = row;
  const { sources, domains = '', stems = '' } = ownerOf(row);
  return {
    name,
    key: toKey(name),
    folded: toFolded(toKey(name)),
    domains: splitWords(domains),
    stems: [toKey(name), ...splitWords(stems)].filter((stem) => stem !== ''),
    partial: sources === undefined,
    isWord: word,
  };
});

export const labelOf = (domain: string): string =>
  organizationalDomain(domain).split('.', 1)[0] ?? '';

/** Countries' endings that anybody in the world buys as if they were no country's. */
const SOLD = wordSet('ai cc cf co fm ga gg gq io la me ml pw sh st su tk to tv vc ws');

/** An owner has its name in most countries, and no list holds all of them. */
export function isNational(domain: string): boolean {
  const ending = domain.split('.').at(-1) ?? '';
  return ending.length === 2 && !SOLD.has(ending);
}

const isListed = (domain: string, { domains }: Brand): boolean =>
  domains.some((one) => (one.startsWith('.') ? domain.endsWith(one) : isUnder(domain, one)));

/** Whether a domain is of the owner of a brand, as far as it is known. */
export function ownershipOf(domain: string, brand: Brand): 'own' | 'unknown' | 'foreign' {
  // Where anybody can have an address, the owner of the host speaks of it.
  if (isListed(domain, brand)) return isFreemail(domain) ? 'foreign' : 'own';
  const parts = labelOf(domain).split('-');
  const label = parts.join('');
  if (label === brand.key && isNational(domain)) return 'unknown';
  const mayBe = (stem: string) => (stem.length > 4 ? label.includes(stem) : parts.includes(stem));
  return brand.partial && brand.stems.some(mayBe) ? 'unknown' : 'foreign';
}

/** By domain, and by ending with its dot: a mail may have a thousand hosts. */
const OWNERS = Map.groupBy(
  BRANDS.flatMap((brand) => brand.domains.map((domain) => ({ domain, brand }))),
  ({ domain }) => domain,
);

/** The brands whose domain a host is, as far as they are known. */
export function brandsAt(host: string): readonly Brand[] {
  const labels = host.split('.');
  const names = labels.map((_, at) => labels.slice(at).join('.'));
  return [...names, `.${labels.at(-1)}`].flatMap((name) =>
    (OWNERS.get(name) ?? []).map(({ brand }) => brand),
  );
}

/** Words that make a plain word a brand that speaks: `Chase Online`, but not `UPS Service GmbH`. */
const BRAND_ROLES = wordSet(
  'support security online alert alerts account accounts billing id express delivery tracking bank fraud ' +
    'verification notification notifications payments refund refunds soporte seguridad sicherheit ' +
    'kundenservice kundendienst assistenza sicurezza paket zustellung konto',
);

export const isBrandRole = (word: string): boolean => BRAND_ROLES.has(word);

/** What senders add to their name: with these alone it is still the brand that speaks. */
const ROLES = wordSet(
  'a admin administration ag an and at bank banking beim bei care center centre client clients com company corp ' +
    'corporation das dein deine dem der department desk die direct eu europe express finance fraud from gmbh help ' +
    'helpdesk id ihr ihre ihrem ihren im in inc info information international limited llc ltd mail mailbox ' +
    'manager member members message messages mobile my no of office official on online order orders our parcel ' +
    'plc plus premium prime pro reply resolution review rewards services ship shipping sign staff su system team the ' +
    'tu two und unser unsere update updates us vom von votre wallet web your zum zur 24 365 24h app de es fr it ' +
    'uk at ch deutschland germany france italia usa oesterreich osterreich schweiz abteilung aktuell clienti ' +
    'cliente atendimento equipe equipo le la el al servicio servizio sicurezza tracking versand document ' +
    'documents docs share shared protection total',
);

/** The same beside a name alone: many an agency has such a word in its domain. */
const ROLES_OF_NAMES = wordSet('ab ads business buyer copyright jobs mein meine partner seller');

/** The same in the many compounds of such words. */
const ROLE_STEM =
  /^(?:account|abrechn|abo$|alert|anmeld|assist|auth|benachrichtig|bestell|betrug|bezahl|bill|confirm|customer|deliver|dienst|einfuhr|fee|gebuhr|hilfe|identi|invoice|kasse|kart|konto|konten|kund|liefer|limit|log-?in|mahn|membership|mitglied|mitteil|not[ei]f|notice|paket|passw|pay|post|refund|rechnung|ruckerstatt|schutz|secur|seguridad|sendung|gesperrt|eingeschrankt|redeliver|renew|service|sicher|soporte|steuer|subscription|support|suspend|tan|track|unlock|unterstutz|verif|verwalt|wichtig|zahl|zentral|zoll|zustell|zugang)|(?:abteilung|center|dienst|portal|schutz|service|support|team|verfahren|zentrale|zentrum)$/;

export const isRole = (word: string): boolean =>
  ROLES.has(word) || /^\d+$/.test(word) || ROLE_STEM.test(word);

export const isRoleOfName = (word: string): boolean => ROLES_OF_NAMES.has(word) || isRole(word);
