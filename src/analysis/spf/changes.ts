/** Describes in sentences how a corrected SPF record differs from the published one. */

import { formatList } from '../format.ts';
import { readAsSpf, termsOf, withoutOtherRecord } from './correct.ts';
import type { SpfFacts, SpfRepair } from './facts.ts';
import { isAll, parseTerm } from './parse.ts';
import type { Asked } from './questions.ts';
import { joinPieces, readTerm } from './read-term.ts';
import { cutTerm } from './void-lookups.ts';

/** The published texts that a corrected record replaces. */
interface Rewritten extends Pick<SpfRepair, 'published' | 'spaced'> {
  readonly voidTerms?: SpfRepair['voids'];
}

/**
 * Describes what a corrected SPF record changes: terms that were changed or left out, and small mistakes that
 * were corrected. No term that authorizes others is removed or changed without being mentioned.
 */
export function describeChanges(
  before: Rewritten,
  record: string,
  dead: SpfFacts['brokenTerms'],
  { unreadable, broken, wide, reverse, voids }: Asked,
): string {
  const kept = new Set(termsOf(record).map((term) => term.toLowerCase()));
  const isKept = (term: string) => kept.has(term.toLowerCase());
  const asked = new Set([
    ...unreadable,
    ...broken.map(({ term }) => term),
    ...wide.map(({ top }) => top),
    ...reverse.map(({ text }) => text),
    ...voids.map(({ top }) => top),
  ]);
  const reasons = new Map(dead.map(({ term, why }) => [term, why]));
  const texts = before.published.map((text) =>
    termsOf(withoutOtherRecord(before.spaced ?? readAsSpf(text))),
  );
  const published = texts.flatMap(joinPieces);
  const spaces: string[] = spacesBetween(before);
  const changed: string[] = [];
  const dropped: string[] = [];
  for (const term of new Set(published)) {
    if (isKept(term) || /^[+?~-]?(?:all)?$/i.test(term)) continue;
    const meant = termsOf(readTerm(term) ?? '');
    const instead = before.voidTerms?.find((one) => one.term === term)?.instead ?? [];
    const now = [...meant, ...instead].filter(isKept);
    const isAsked = [term, ...meant].some((one) => asked.has(one));
    const why = [term, ...meant].map((one) => reasons.get(one)).find((one) => one !== undefined);
    const linked = term.replace(/^redirect=/i, 'include:');
    if (meant.length > 1 && meant.join('') === term) spaces.push(between(meant));
    else if (now.length > 0) changed.push(`${cutTerm(term)} is now ${now.map(cutTerm).join(' ')}`);
    else if (isKept(linked)) changed.push(`${cutTerm(term)} is now ${cutTerm(linked)}`);
    else if (!isAsked)
      dropped.push(`${cutTerm(term)} (${cutTerm(why ?? 'no such record exists')})`);
  }
  return [
    ...slips(before, texts, isKept),
    ...spaces,
    ...(changed.length > 0 ? [`Changed: ${formatList(changed)}.`] : []),
    ...(dropped.length > 0
      ? [
          `Left out: ${formatList(dropped)}. If one of them names a service that you use, add that service.`,
        ]
      : []),
  ].join(' ');
}

/**
 * Describes the small mistakes that were corrected: characters outside ASCII, spaces within terms, records for
 * other purposes, repeated terms, and terms after `all`.
 */
function slips(
  { published }: Rewritten,
  texts: readonly (readonly string[])[],
  isKept: (term: string) => boolean,
): readonly string[] {
  const joined = texts.flatMap((terms) =>
    joinPieces(terms).filter(
      (term) =>
        isKept(term) &&
        !terms.includes(term) &&
        terms.some((piece) => piece !== '' && term.startsWith(piece)),
    ),
  );
  const isBehindAll = texts.some((terms) => {
    const behind = terms.slice(
      terms.findIndex((term) => isAll(parseTerm(term))) + 1 || terms.length,
    );
    // A modifier may be anywhere in a record (RFC 7208 §4.6.1).
    return behind.some((term) => isKept(term) && parseTerm(term).kind !== 'modifier');
  });
  return [
    ...(published.some((text) => /[^\x20-\x7e]/.test(text))
      ? [
          'Non-ASCII characters, such as a no-break space, a dash or a typographic quotation mark, have been replaced with plain ones.',
        ]
      : []),
    ...(joined.length > 0
      ? [`There was an extra space in ${formatList([...new Set(joined)].map(cutTerm))}.`]
      : []),
    ...(published.some((text) => withoutOtherRecord(text) !== text)
      ? [
          'The text also contains a record for another purpose, which nobody looks for there, so it has been left out.',
        ]
      : []),
    ...(texts.some((terms) => new Set(terms).size < terms.length)
      ? ['Each repeated term now appears only once.']
      : []),
    ...(isBehindAll ? ['Receivers ignore everything after “all”, so it is now at the end.'] : []),
  ];
}

const between = (terms: readonly string[]): string =>
  `A space is missing between ${formatList(terms.map(cutTerm))}.`;

/** Returns a sentence about each pair of terms between which the strings of a record lack a space. */
function spacesBetween({ spaced, published: [record = ''] }: Rewritten): string[] {
  if (spaced === undefined) return [];
  const joined = new Set(termsOf(record));
  const terms = termsOf(spaced);
  return terms.flatMap((term, at) => {
    const next = terms[at + 1] ?? '';
    return joined.has(term + next) && next !== '' ? [between([term, next])] : [];
  });
}
