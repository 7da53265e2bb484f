/** Corrected copies of a sender's own SPF record: text in, text out; nothing is looked up. */

import { MAX_TERMS } from './spf.ts';

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
export function addTerm(record: string, term: string, decidedBy: string | null = null): string {
  // Once is enough: where it stands already it may come too late.
  const terms = termsOf(record).filter((one) => one.toLowerCase() !== term);
  const decided = decidedBy === null ? -1 : terms.indexOf(decidedBy);
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
 * The record with faulty terms replaced, none of them twice, and nothing after `all`, where no
 * receiver looks (RFC 7208 §5.1).
 */
export function mendTerms(
  record: string,
  faults: readonly { readonly bad: string; readonly good: string }[],
): string {
  const good = new Map(faults.map((fault) => [fault.bad, fault.good]));
  const terms = termsOf(record).flatMap((term) => termsOf(good.get(term) ?? term));
  // RFC 7208 §6: redirect= and exp= stand once at most, whatever they say.
  const alike = Map.groupBy(terms, (term) => (isModifier(term) ? `${nameOf(term)}=` : term));
  const once = [...alike.values()].flatMap(([first]) => first ?? []);
  const ends = once.filter((term) => ALL.test(term));
  return toRecord([...once.filter((term) => !ALL.test(term)), ...ends.slice(0, 1)]);
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

/** The record ended by `-all`, without the terms that let everybody in. */
export function endWithFail(record: string, dropped: readonly string[] = []): string {
  const gone = new Set(dropped);
  const kept = termsOf(record).filter((term) => !ALL.test(term) && !gone.has(term));
  // A redirect= is not asked once there is an all (RFC 7208 §6.1): as an include: it still counts.
  return toRecord([...kept.map(toInclude), '-all']);
}

/** One record with the terms of all, each once. `~all` when one of them said so, else `-all`. */
export function mergeRecords(records: readonly string[]): string {
  const terms = records.flatMap(termsOf);
  const kept = terms.filter((term) => !ALL.test(term)).map(toInclude);
  const soft = terms.some((term) => /^~all$/i.test(term));
  return toRecord([...new Set(kept), soft ? '~all' : '-all']);
}

const toInclude = (term: string): string => term.replace(REDIRECT, 'include:');
