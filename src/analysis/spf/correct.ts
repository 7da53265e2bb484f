/** Corrected copies of a sender's own SPF record: text in, text out; nothing is looked up. */

import { isSpfRecord, MAX_TERMS } from './parse.ts';
import { isSound, isTerm, joinPieces, readTerm } from './read-term.ts';

/** RFC 7208 §4.5: the version is compared without case, and is a word of its own. */
const VERSION = /^v=spf1(?=\s|$)/i;
const ALL = /^[+?~-]?all$/i;
const REDIRECT = /^redirect=/i;

/** The terms of a record as published, without the version; `MAX_TERMS` at most, more than a fix shows. */
export function termsOf(record: string): readonly string[] {
  const terms: string[] = [];
  for (const [term] of record.trim().replace(VERSION, '').matchAll(/\S+/g))
    if (terms.push(term) === MAX_TERMS) break;
  return terms;
}

const toRecord = (terms: readonly string[]): string => ['v=spf1', ...terms].join(' ');

const isEnd = (term: string): boolean => ALL.test(term) || REDIRECT.test(term);

/**
 * The record with `term` before its end. Before the term that decided, when there is one: mechanisms
 * are asked from left to right (RFC 7208 §4.6.2).
 */
export function addTerm(record: string, term: string, decidedBy?: string): string {
  // Once is enough: where it stands already it may come too late.
  const terms = termsOf(record).filter((one) => one.toLowerCase() !== term);
  const decided = decidedBy === undefined ? -1 : terms.indexOf(decidedBy);
  const end = terms.findIndex(isEnd);
  const at = decided >= 0 ? decided : end >= 0 ? end : terms.length;
  return toRecord(terms.toSpliced(at, 0, term));
}

/** The record with terms replaced by others, or by none. */
export const replaceTerms = (
  record: string,
  good: ReadonlyMap<string, readonly string[]>,
): string => toRecord(termsOf(record).flatMap((term) => good.get(term) ?? [term]));

/** Faulty terms of one record that are read; of more than these only the author knows what they mean. */
const MAX_READ_TERMS = 50;

/** The terms of a record, each with what it means; null: only its author knows. */
function readTerms(record: string): readonly (readonly [text: string, meant: string | null])[] {
  let faulty = 0;
  return joinPieces(termsOf(record)).map((text) => {
    faulty += Number(!isSound(text));
    return [text, faulty > MAX_READ_TERMS ? null : readTerm(text)];
  });
}

/** Terms that say nothing to a receiver, and of which only their author knows what they mean. */
export const unreadableTerms = (record: string): readonly string[] =>
  readTerms(record).flatMap(([text, meant]) => (meant === null ? [text] : []));

/**
 * The record with its text corrected: faulty terms as they were meant, none of them twice, nothing after
 * `all`, where no receiver looks (RFC 7208 §5.1). Of several `all` the first stays, which is in force;
 * `+all` and `?all` give way to a further one.
 */
export function correctRecord(record: string): string {
  const terms = readTerms(record).flatMap(([, meant]) => [...termsOf(meant ?? '')]);
  const once = [...new Set(terms.slice(0, MAX_TERMS))];
  const ends = once.filter((term) => ALL.test(term));
  const isOpen = ends.length > 1 && !/^[-~]/.test(ends[0] ?? '');
  const end = isOpen ? '~all' : ends[0];
  const rest = once.filter((term) => !ALL.test(term));
  const redirects = rest.filter((term) => REDIRECT.test(term));
  // RFC 7208 §6, §6.1: redirect= stands once at most, and is ignored beside all; each include: counts.
  const isLost = redirects.length > (end === undefined ? 1 : 0);
  const kept = oneOf('exp=', isLost ? [...new Set(rest.map(toInclude))] : rest);
  return toRecord(end === undefined ? kept : [...kept, end]);
}

/** RFC 7208 §6: a modifier stands once at most; the first stays. */
const oneOf = (name: string, terms: readonly string[]): readonly string[] => {
  const isOne = (term: string) => term.toLowerCase().startsWith(name);
  const first = terms.findIndex(isOne);
  return terms.filter((term, i) => i === first || !isOne(term));
};

/** `v=spf1` that is one to people: with signs around it, or run into the first term. */
const LOOKS_LIKE =
  /^[^a-z0-9]*v\s*[=:]\s*spf1(?:(?![a-z0-9.])|(?=(?:include|ip4|ip6|a|mx|exists|redirect)[:=]|mx\b|a\b|all\b))/i;

/** Another version, or words before it: `spf2.0/pra`, `v=spf`, `SPF: v=spf1`. */
const OTHER_VERSION =
  /^[^a-z0-9]*(?:spf\s?[:=]\s*)?(?:v\s?[=:]?\s?)?spf[\d.]*(?:\/[a-z,]+)?[\s:;,]+/i;

/** What a text is read of: honest records are shorter. */
const MAX_READ = 4096;

/** Whether a TXT was intended as SPF, though receivers do not take it for a record: RFC 7208 §4.5. */
export function looksLikeSpf(text: string): boolean {
  if (isSpfRecord(text)) return false;
  if (LOOKS_LIKE.test(text)) return true;
  const read = text.slice(0, MAX_READ);
  const version = OTHER_VERSION.exec(read)?.[0] ?? '';
  const terms = read.slice(version.length).match(/[^\s"]+/g) ?? [];
  // Without a version all of it has to be SPF.
  if (version === '')
    return terms.length > 1 && terms.every(isTerm) && ALL.test(terms.at(-1) ?? '');
  // A sentence may begin with the word, and `a` is one of its words.
  return terms.some((term) => isTerm(term) && (/\d|=/.test(version) || /[:]|^[-~?+]/.test(term)));
}

/** The record that such a text was meant to be: without quotes, its terms apart by spaces. */
export const readAsSpf = (text: string): string =>
  isSpfRecord(text)
    ? text
    : `v=spf1 ${text
        .replace(LOOKS_LIKE.test(text) ? LOOKS_LIKE : OTHER_VERSION, '')
        .replace(/[\s"'“”„`,;]+/g, ' ')
        .trim()}`;

/** Octets of a full string of a TXT record: a longer text is cut there, wherever that is (RFC 1035 §3.3). */
const FULL_STRING = 255;

/**
 * The text of a record's strings, with a space where one ends a term and the next begins another: receivers
 * join them without any (RFC 7208 §3.3).
 *
 * @param isDead whether a joined term says nothing to receivers
 */
export const joinStrings = (
  strings: readonly string[],
  isDead: (term: string) => boolean,
): string =>
  strings.reduce((text, next, at) => {
    const [last = '', first = ''] = [/\S+$/.exec(text)?.[0], /^\S+/.exec(next)?.[0]];
    const isCut = (strings[at - 1] ?? '').length === FULL_STRING;
    const isWeld = !isCut && isDead(last + first) && isSound(last) && isSound(first);
    return isWeld ? `${text} ${next}` : text + next;
  }, '');

/** Octets: with the question and other TXT a longer record no longer fits 512 (RFC 7208 §3.4). */
export const ROOMY_OCTETS = 450;

/** What means the same in another record: it passes, names no domain of its own, has no macro. */
const MOVABLE = /^\+?(?:ip4:|ip6:|include:|(?:a|mx|exists):)[^%]+$/i;

/**
 * A long record in several: `parts` are published at `_spf1.`, `_spf2.`, and `record` includes them.
 * `null`: terms whose order or place matters leave nothing to move.
 */
export function splitRecord(record: string, domain: string) {
  const terms = termsOf(record);
  if (terms.some((term) => /^[-~?]/.test(term) && !ALL.test(term))) return null;
  const texts: string[] = [];
  for (const term of terms.filter((one) => MOVABLE.test(one))) {
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
  const rest = terms.filter((one) => !MOVABLE.test(one));
  const whole = toRecord([...parts.map(({ name }) => `include:${name}`), ...rest]);
  return whole.length <= ROOMY_OCTETS ? { record: whole, parts } : null;
}

/**
 * The record with an end that keeps others out: its own, or `~all`, which refuses nobody's mail that a
 * forgotten service sends.
 *
 * @param behind the end of the record that its `redirect=` leads to
 */
export function closeRecord(record: string, behind: string | null): string {
  const terms = termsOf(record);
  const isClosed = terms.some((term) =>
    REDIRECT.test(term) ? behind !== null && CLOSED.has(behind) : /^[-~]all$/i.test(term),
  );
  if (isClosed) return record;
  // A redirect= is not asked once there is an all (RFC 7208 §6.1): as an include: it still counts.
  return toRecord([...terms.filter((term) => !ALL.test(term)).map(toInclude), '~all']);
}

/** The record with an end that refuses nobody: for one that let in more than it lists. */
export const softenEnd = (record: string): string => record.replace(/ -all$/i, ' ~all');

const CLOSED = new Set(['-', '~', 'unknown']);

/** One record with the terms of all, each once. `-all` when each of them ends so, else `~all`. */
export function mergeRecords(records: readonly string[]): string {
  const corrected = records.map(correctRecord).map(termsOf);
  const kept = corrected
    .flat()
    .filter((term) => !ALL.test(term))
    .map(toInclude);
  const isStrict = corrected.every((terms) => terms.some((term) => /^-all$/i.test(term)));
  return toRecord([...new Set(kept), isStrict ? '-all' : '~all']);
}

/**
 * The record as it was intended: the one there is, several in one, a text that is not one to receivers,
 * or the one that only stands at `_spf.`; null: there is nothing of the kind.
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
  /** The one record with spaces where its strings show that they are missing. */
  readonly spaced?: string | undefined;
  readonly lookalike?: string | undefined;
  readonly isMisplaced?: boolean | undefined;
}

const toInclude = (term: string): string => term.replace(REDIRECT, 'include:');
