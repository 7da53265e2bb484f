/** Corrected copies of a sender's own SPF record: text in, text out; nothing is looked up. */

import { correctTerm, plainSign } from './correct-term.ts';
import { isSpfRecord, MAX_TERMS } from './parse.ts';

/** RFC 7208 §4.5: the version is compared without case, and is a word of its own. */
const VERSION = /^v=spf1(?=\s|$)/i;
const ALL = /^[+?~-]?all$/i;
const REDIRECT = /^redirect=/i;

/** The terms of a record as published, without the version; `MAX_TERMS` at most, more than a fix shows. */
export const termsOf = (record: string): readonly string[] =>
  record
    .trim()
    .replace(VERSION, '')
    .matchAll(/\S+/g)
    .take(MAX_TERMS)
    .map(([term]) => term)
    .toArray();

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

/** The record with terms replaced by others, or by none; without its `redirect=` it ends by `-all`. */
export function replaceTerms(record: string, good: ReadonlyMap<string, readonly string[]>): string {
  const rest = toRecord(termsOf(record).flatMap((term) => good.get(term) ?? [term]));
  return [...good.keys()].some((term) => REDIRECT.test(term)) ? endWithFail(rest) : rest;
}

/**
 * The record as its text was meant: faulty terms mended, none of them twice, nothing after `all`,
 * where no receiver looks (RFC 7208 §5.1), and of several the strictest.
 */
export function correctRecord(record: string): string {
  const meant = joinSigns(termsOf(record)).flatMap((text) => [...termsOf(correctTerm(text))]);
  // RFC 7208 §6: redirect= and exp= stand once at most, whatever they say.
  const alike = Map.groupBy(meant.slice(0, MAX_TERMS), (term) =>
    isModifier(term) ? `${nameOf(term)}=` : term,
  );
  const once = [...alike.values()].flatMap(([first]) => first ?? []);
  const ends = once.filter((term) => ALL.test(term));
  const end =
    ['-', '~', '?'].flatMap((sign) => ends.filter((one) => one[0] === sign))[0] ?? ends[0];
  if (end === undefined) return toRecord(once);
  // RFC 7208 §6.1: beside all, redirect= is ignored.
  return toRecord([...once.filter((term) => !isEnd(term)), end]);
}

const LOOKS_LIKE = /^[^a-z0-9]*v\s*=\s*spf1(?![a-z0-9.])/i;

/** Whether a TXT was meant as SPF, though receivers take it for none: RFC 7208 §4.5. */
export const looksLikeSpf = (text: string): boolean => LOOKS_LIKE.test(text) && !isSpfRecord(text);

/** The record that such a text was meant to be: without quotes, its terms apart by spaces. */
export const readAsSpf = (text: string): string =>
  isSpfRecord(text)
    ? text
    : `v=spf1 ${text
        .replace(LOOKS_LIKE, '')
        .replace(/[\s"'“”„`,;]+/g, ' ')
        .trim()}`;

/** A sign that stands alone belongs to the term behind it; at the end, to `all`. */
function joinSigns(terms: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let sign = '';
  for (const text of terms.map(plainSign)) {
    if (/^[-~?+]$/.test(text)) sign = text;
    else {
      if (!/^v=spf1$/i.test(text)) joined.push(/^[-~?+]/.test(text) ? text : sign + text);
      sign = '';
    }
  }
  return /[-~]/.test(sign) ? [...joined, `${sign}all`] : joined;
}

const nameOf = (term: string): string => term.split('=', 1)[0]?.toLowerCase() ?? '';
const isModifier = (term: string): boolean => /^(?:redirect|exp)=/i.test(term);

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

/** The record ended by `-all`. */
export function endWithFail(record: string): string {
  const kept = termsOf(record).filter((term) => !ALL.test(term));
  // A redirect= is not asked once there is an all (RFC 7208 §6.1): as an include: it still counts.
  return toRecord([...kept.map(toInclude), '-all']);
}

/**
 * The record with an end that keeps others out: its own, or `-all`.
 *
 * @param behind the end of the record that its `redirect=` leads to
 */
export function closeRecord(record: string, behind: string | null): string {
  const terms = termsOf(record);
  const isClosed = terms.some((term) =>
    REDIRECT.test(term) ? behind !== null && CLOSED.has(behind) : /^[-~]all$/i.test(term),
  );
  return isClosed ? record : endWithFail(record);
}

const CLOSED = new Set(['-', '~', 'unknown']);

/** One record with the terms of all, each once. `~all` when one of them said so, else `-all`. */
export function mergeRecords(records: readonly string[]): string {
  const terms = records.map(correctRecord).flatMap(termsOf);
  const kept = terms.filter((term) => !ALL.test(term)).map(toInclude);
  const soft = terms.some((term) => /^~all$/i.test(term));
  return toRecord([...new Set(kept), soft ? '~all' : '-all']);
}

const toInclude = (term: string): string => term.replace(REDIRECT, 'include:');
