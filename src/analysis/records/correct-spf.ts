/** Corrected copies of a sender's own SPF record: text in, text out; nothing is looked up. */

/** RFC 7208 §4.5: the version is compared without case, and is a word of its own. */
const VERSION = /^v=spf1(?=\s|$)/i;
const ALL = /^[+?~-]?all$/i;
const REDIRECT = /^redirect=/i;

const termsOf = (record: string): readonly string[] =>
  record.trim().replace(VERSION, '').split(/\s+/).filter(Boolean);

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

/** The record with one term replaced by what may be several or none. */
export const replaceTerm = (record: string, bad: string, good: string): string =>
  toRecord(termsOf(record).flatMap((term) => (term !== bad ? [term] : good ? [good] : [])));

/** The record ended by `-all`, without the terms that let everybody in. */
export function endWithFail(record: string, dropped: readonly string[] = []): string {
  const kept = termsOf(record).filter((term) => !ALL.test(term) && !dropped.includes(term));
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
