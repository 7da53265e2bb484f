/** Reduces the void lookups of an SPF record, which find nothing, and formats SPF terms for display. */

import { formatList } from '../format.ts';
import { replaceTerms, termsOf } from './correct.ts';
import type { SpfFacts } from './facts.ts';
import { MAX_VOID_LOOKUPS } from './parse.ts';

type Void = SpfFacts['voidTerms'][number];

const isOwn = ({ term, top }: Void): boolean => term === top;

/** Returns whether a void lookup finds nothing for any email. */
const isDead = (one: Void): boolean => isOwn(one) && !one.isOfSender && one.instead.length === 0;

/**
 * The measures that reduce void lookups, from the smallest change of the record to the largest. Each is also
 * the name of a case in the fixes.
 */
type Measure = 'fix' | 'other_family' | 'nested' | 'of_sender';

/** The outcome of reducing the void lookups of a record. */
export interface Relief {
  readonly record: string;
  readonly measure: Measure;
  /** The void terms that the measure concerns. */
  readonly terms: readonly Void[];
  /**
   * Void terms behind terms that may also authorize servers. Only the owner of the record knows whether the
   * latter can be removed.
   */
  readonly nested: readonly Void[];
  /** Void terms that stay, because other emails may find something there. */
  readonly left: readonly Void[];
}

/**
 * Reduces void lookups until the rest is within the limit. First, dead terms are removed. Next, hosts that
 * have addresses only of the other family are replaced by those addresses. Then, terms that lead to void
 * lookups are listed in `nested`. Terms that may find something for other emails stay.
 */
export function relieveVoids(record: string, voids: readonly Void[]): Relief {
  const own = new Set(termsOf(record));
  const present = voids.filter(({ top }) => own.has(top));
  if (present.length <= MAX_VOID_LOOKUPS)
    return { record, measure: 'fix', terms: [], nested: [], left: present };
  const dead = present.filter(isDead);
  let left = present.filter((one) => !isDead(one));
  let measure: Measure = 'fix';
  let terms: readonly Void[] = dead;
  const good = new Map(dead.map(({ term }) => [term, [] as readonly string[]]));

  const others = left.filter((one) => isOwn(one) && one.instead.length > 0);
  if (left.length > MAX_VOID_LOOKUPS && others.length > 0) {
    for (const { term, instead } of others) good.set(term, instead);
    left = left.filter((one) => !others.includes(one));
    [measure, terms] = ['other_family', others];
  }
  const nested: Void[] = [];
  for (const top of heaviestFirst(left.filter((one) => !isOwn(one)))) {
    if (left.length <= MAX_VOID_LOOKUPS) break;
    nested.push(...left.filter((one) => one.top === top));
    left = left.filter((one) => one.top !== top);
    [measure, terms] = ['nested', nested];
  }
  if (left.length > MAX_VOID_LOOKUPS) [measure, terms] = ['of_sender', left];
  return { record: replaceTerms(record, good), measure, terms, nested, left };
}

/** Returns the terms that lead to void lookups. Those that lead to the most come first. */
function heaviestFirst(voids: readonly Void[]): readonly string[] {
  const byTop = [...Map.groupBy(voids, ({ top }) => top)];
  return byTop.sort(([, a], [, b]) => b.length - a.length).map(([top]) => top);
}

/** Shortens a term for display, because it may be 60 KB long. */
export const cutTerm = (text: string): string =>
  text.length > 200 ? `${text.slice(0, 199)}…` : text;

/** Formats terms for display, each once. A term from another record follows the term that leads to it. */
export const formatTerms = (places: readonly SpfFacts['wideTerms'][number][]): string => {
  const byTop = [...Map.groupBy(places, ({ top }) => top)];
  return formatList(
    byTop.map(([top, all]) => {
      const terms = [...new Set(all.map(({ term }) => term))].filter((term) => term !== top);
      return terms.length > 0 ? `${top} (with ${formatList(terms)})` : top;
    }),
  );
};
