/**
 * Recognizes texts that were meant as SPF records, and corrects, extends, merges, splits and closes such
 * records as text. Nothing is looked up.
 */

import { textOfZoneLine } from '../syntax/tag-list.ts';
import { isSpfRecord, MAX_TERMS } from './parse.ts';
import { isSound, isTerm, joinPieces, MAX_TEXT, readTerm } from './read-term.ts';

/** Matches the version of a record, which is a separate word and is case-insensitive (RFC 7208 §4.5). */
const VERSION = /^v=spf1(?=\s|$)/i;
const ALL = /^[+?~-]?all$/i;
const REDIRECT = /^redirect=/i;

/**
 * Returns the terms of a record as published, without the version. At most `MAX_TERMS`, which is more than a
 * fix shows.
 */
export function termsOf(record: string): readonly string[] {
  const terms: string[] = [];
  for (const [term] of record.trim().replace(VERSION, '').matchAll(/\S+/g))
    if (terms.push(term) === MAX_TERMS) break;
  return terms;
}

const toRecord = (terms: readonly string[]): string => ['v=spf1', ...terms].join(' ');

const isEnd = (term: string): boolean => ALL.test(term) || REDIRECT.test(term);

/**
 * Returns the record with `term` added before its end, or before the term that decided the result, if one
 * did. Mechanisms are tested from left to right (RFC 7208 §4.6.2).
 */
export function addTerm(record: string, term: string, decidedBy?: string): string {
  const terms = termsOf(record);
  const decided = decidedBy === undefined ? -1 : terms.indexOf(decidedBy);
  const end = terms.findIndex(isEnd);
  const at = decided >= 0 ? decided : end >= 0 ? end : terms.length;
  // The record needs the term only once. In its present position, the term may come too late, or have a
  // qualifier that does not let its servers pass.
  const isOther = (one: string) => one.toLowerCase().replace(/^[-~?+]/, '') !== term;
  return toRecord([
    ...terms.slice(0, at).filter(isOther),
    term,
    ...terms.slice(at).filter(isOther),
  ]);
}

/** Returns the record with some of its terms replaced by others, or removed. */
export const replaceTerms = (
  record: string,
  good: ReadonlyMap<string, readonly string[]>,
): string => toRecord(termsOf(record).flatMap((term) => good.get(term) ?? [term]));

/** Returns the record without some of its terms. */
export const withoutTerms = (record: string, terms: readonly string[]): string =>
  replaceTerms(record, new Map(terms.map((term) => [term, []])));

/**
 * Number of faulty terms per record that are interpreted. If there are more, only the author knows what they
 * mean.
 */
const MAX_READ_TERMS = 50;

/** Matches the version of a record for another purpose that someone entered in the same text. */
const OTHER_RECORD = /[\s;,]v=(?:dmarc|dkim|bimi|stsv|tlsrptv)1\b/i;

/** Returns an SPF record without a record for another purpose that follows in the same text. */
export function withoutOtherRecord(record: string): string {
  const at = record.search(OTHER_RECORD);
  if (at < 0) return record;
  let end = at;
  while (/[\s;,]/.test(record.charAt(end - 1))) end -= 1;
  const ends = termsOf(record.slice(at)).filter((term) => ALL.test(term));
  return [record.slice(0, end), ...ends].join(' ');
}

/**
 * Returns the terms of a record, each with its intended meaning, or null if only its author knows the
 * meaning.
 */
function readTerms(record: string): readonly (readonly [text: string, meant: string | null])[] {
  let faulty = 0;
  return joinPieces(termsOf(withoutOtherRecord(record))).map((text) => {
    faulty += Number(!isSound(text));
    return [text, faulty > MAX_READ_TERMS ? null : readTerm(text)];
  });
}

/** Returns the terms that receivers cannot use and whose meaning only their author knows. */
export const unreadableTerms = (record: string): readonly string[] =>
  readTerms(record).flatMap(([text, meant]) => (meant === null ? [text] : []));

/**
 * Returns the record with its text corrected. Faulty terms are replaced by the intended ones, no term appears
 * twice, and nothing comes after `all`, where receivers do not look (RFC 7208 §5.1). If there are several
 * `all`, the first one stays because it is in force, but `~all` replaces a first `+all` or `?all`.
 */
export function correctRecord(record: string): string {
  const terms = readTerms(record).flatMap(([, meant]) => [...termsOf(meant ?? '')]);
  const once = [...new Set(terms.slice(0, MAX_TERMS))];
  const ends = once.filter((term) => ALL.test(term));
  const isOpen = ends.length > 1 && !/^[-~]/.test(ends[0] ?? '');
  const end = isOpen ? '~all' : ends[0];
  const rest = once.filter((term) => !ALL.test(term));
  const redirects = rest.filter((term) => REDIRECT.test(term));
  // `redirect=` may appear once, and is ignored beside `all`. Every `include:` counts (RFC 7208 §6, §6.1).
  const isLost = redirects.length > (end === undefined ? 1 : 0);
  const kept = oneOf('exp=', isLost ? [...new Set(rest.map(toInclude))] : rest);
  return toRecord(end === undefined ? kept : [...kept, end]);
}

/**
 * Returns the terms without repetitions of a modifier, which may appear once. Its first occurrence stays (RFC
 * 7208 §6).
 */
const oneOf = (name: string, terms: readonly string[]): readonly string[] => {
  const isOne = (term: string) => term.toLowerCase().startsWith(name);
  const first = terms.findIndex(isOne);
  return terms.filter((term, i) => i === first || !isOne(term));
};

/**
 * Matches a `v=spf1` that only people recognize, because other characters surround it or it is joined to the
 * first term.
 */
const LOOKS_LIKE =
  /^[^a-z0-9]*v\s*[=:]\s*spf1(?:(?![a-z0-9.])|(?=(?:include|ip4|ip6|a|mx|exists|redirect)[:=]|mx\b|a\b|all\b))/i;

/** Matches another version, or a version after other words: `spf2.0/pra`, `v=spf`, `SPF: v=spf1`. */
const OTHER_VERSION =
  /^[^a-z0-9]*(?:spf\s?[:=]\s*)?(?:v\s?[=:]?\s?)?spf[\d.]*(?:\/[a-z,]+)?[\s:;,]+/i;

/** Number of characters of a text that are read. Real records are shorter. */
const MAX_READ = 4096;

/**
 * Returns whether a TXT record was intended as SPF although receivers do not accept it as such (RFC 7208
 * §4.5).
 */
export function looksLikeSpf(text: string): boolean {
  if (isSpfRecord(text)) return false;
  const read = textOfZoneLine(text.slice(0, MAX_READ));
  if (LOOKS_LIKE.test(read)) return true;
  const version = OTHER_VERSION.exec(read)?.[0] ?? '';
  const terms = read.slice(version.length).match(/[^\s"]+/g) ?? [];
  // Without a version, the whole text must consist of SPF terms.
  if (version === '')
    return terms.length > 1 && terms.every(isTerm) && ALL.test(terms.at(-1) ?? '');
  // A sentence may also begin with `spf`, and `a` is also an English word.
  return terms.some((term) => isTerm(term) && (/\d|=/.test(version) || /[:]|^[-~?+]/.test(term)));
}

/**
 * Returns the record that a text was intended to be, without quotation marks and with spaces between its
 * terms.
 */
export function readAsSpf(text: string): string {
  if (isSpfRecord(text)) return text;
  const own = textOfZoneLine(text);
  const terms = own
    .replace(LOOKS_LIKE.test(own) ? LOOKS_LIKE : OTHER_VERSION, '')
    .replace(/[\s"'“”„`,;]+/g, ' ');
  return `v=spf1 ${terms.trim()}`;
}

/**
 * Length of a full string in a TXT record, in octets. A longer text is split after such a string, even in the
 * middle of a term (RFC 1035 §3.3).
 */
const FULL_STRING = 255;

/**
 * Joins the strings of a record. A space is added wherever one string ends with a complete term and the next
 * begins another. Receivers join strings without spaces (RFC 7208 §3.3). A term that is too
 * long to be read is joined as it is.
 * @param isDead returns whether a joined term means nothing to receivers
 */
export function joinStrings(strings: readonly string[], isDead: (term: string) => boolean): string {
  let last = '';
  const isWeld = (first: string) =>
    last !== '' &&
    first !== '' &&
    last.length + first.length <= MAX_TEXT &&
    isDead(last + first) &&
    isSound(last) &&
    isSound(first);
  return strings
    .map((next, at) => {
      const [first = ''] = /^\S+/.exec(next) ?? [];
      const isCut = (strings[at - 1] ?? '').length === FULL_STRING;
      const space = !isCut && isWeld(first) ? ' ' : '';
      last = /\s/.test(space + next) ? next.slice(next.search(/\S*$/)) : last + next;
      return space + next;
    })
    .join('');
}

/**
 * Maximum length of a record that is published in one piece, in octets. A longer one, together with the
 * question and other TXT records, would exceed 512 octets (RFC 7208 §3.4).
 */
export const ROOMY_OCTETS = 450;

/**
 * Matches terms that mean the same in another record. They let senders pass, name an address or domain
 * themselves, and contain no macro.
 */
const MOVABLE = /^\+?(?:ip4:|ip6:|include:|(?:a|mx|exists):)[^%]+$/i;

/**
 * Splits a long record. The `parts` are published at `_spf1.`, `_spf2.` and so on, and `record` includes
 * them. Returns null if nothing can be moved, because the order or place of the terms matters.
 */
export function splitRecord(record: string, domain: string) {
  const terms = termsOf(record);
  // Terms that come before a rejecting term must stay before it.
  const after = terms.findLastIndex((term) => /^[-~?]/.test(term) && !ALL.test(term)) + 1;
  const texts: string[] = [];
  for (const term of terms.slice(after).filter((one) => MOVABLE.test(one))) {
    const last = texts.at(-1);
    const longer = `${last} ${term}`;
    if (last !== undefined && `v=spf1 ${longer} -all`.length <= ROOMY_OCTETS)
      texts.splice(-1, 1, longer);
    else texts.push(term);
  }
  const parts = texts.map((text, i) => ({
    name: `_spf${i + 1}.${domain}`,
    record: `v=spf1 ${text} -all`,
  }));
  const rest = terms.slice(after).filter((one) => !MOVABLE.test(one));
  const includes = parts.map(({ name }) => `include:${name}`);
  const whole = toRecord([...terms.slice(0, after), ...includes, ...rest]);
  return whole.length <= ROOMY_OCTETS ? { record: whole, parts } : null;
}

/**
 * Returns the record with an end that excludes other servers: its own end, or `~all`, which does not refuse
 * the mail of a service that was forgotten.
 * @param behind the end of the record to which a `redirect=` leads
 */
export function closeRecord(record: string, behind: string | null): string {
  const terms = termsOf(record);
  const isClosed = terms.some((term) =>
    REDIRECT.test(term) ? behind !== null && CLOSED.has(behind) : /^[-~]all$/i.test(term),
  );
  if (isClosed) return record;
  // `redirect=` is not followed beside `all` (RFC 7208 §6.1). As an `include:`, the same record still counts.
  return toRecord([...terms.filter((term) => !ALL.test(term)).map(toInclude), '~all']);
}

/**
 * Returns the record with an end that refuses nobody. Such an end is needed if the published record
 * authorized more servers than the new one lists.
 */
export const softenEnd = (record: string): string => record.replace(/ -all$/i, ' ~all');

const CLOSED = new Set(['-', '~', 'unknown']);

/**
 * Merges records into one that contains each of their terms once. It ends in `-all` if all of the records do,
 * and otherwise in `~all`. A record that rejects servers comes first, so that no term of another one lets them
 * pass.
 */
export function mergeRecords(records: readonly string[]): string {
  const rejects = (terms: readonly string[]) =>
    Number(terms.some((term) => term.startsWith('-') && !ALL.test(term)));
  const corrected = records
    .map((record) => termsOf(correctRecord(record)))
    .toSorted((one, other) => rejects(other) - rejects(one));
  const kept = corrected
    .flat()
    .filter((term) => !ALL.test(term))
    .map(toInclude);
  const isStrict = corrected.every((terms) => terms.some((term) => /^-all$/i.test(term)));
  return toRecord([...new Set(kept), isStrict ? '-all' : '~all']);
}

/**
 * Returns the record that was intended: the published one, several merged into one, a text that receivers do
 * not accept as a record, or one that exists only at `_spf.`. Null if there is none of these.
 */
export function intendedRecord(
  domain: string,
  { records = [], spaced, lookalike, isMisplaced = false }: Intended,
): string | null {
  if (records.length > 1) return mergeRecords(records);
  const [own = lookalike] = records;
  if (spaced !== undefined) return correctRecord(spaced);
  if (own !== undefined) return correctRecord(readAsSpf(own));
  return isMisplaced ? `v=spf1 include:_spf.${domain} ~all` : null;
}

interface Intended {
  readonly records?: readonly string[];
  /** The only record, with spaces added where its strings show that they are missing. */
  readonly spaced?: string | undefined;
  readonly lookalike?: string | undefined;
  readonly isMisplaced?: boolean | undefined;
}

const toInclude = (term: string): string => term.replace(REDIRECT, 'include:');
