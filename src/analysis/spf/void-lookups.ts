import { formatList } from '../format.ts';
import { replaceTerms, termsOf } from './correct.ts';
import type { SpfFacts } from './facts.ts';
import { MAX_VOID_LOOKUPS } from './parse.ts';

type Void = SpfFacts['voidTerms'][number];

const isOwn = ({ term, top }: Void): boolean => term === top;

/** Nobody's mail finds anything there. */
const isDead = (one: Void): boolean => isOwn(one) && !one.isOfSender && one.instead.length === 0;

/** How far the record has to be changed, the mildest first; the catalogue's cases. */
type Measure = 'fix' | 'other_family' | 'nested' | 'of_sender';

/** What was done about void lookups. */
export interface Relief {
  readonly record: string;
  readonly measure: Measure;
  /** Void ones that it is about. */
  readonly terms: readonly Void[];
  /** Void ones behind terms that may let in servers besides: whether these can go only their owner knows. */
  readonly nested: readonly Void[];
  /** Void ones that stay: other mail may find something there. */
  readonly left: readonly Void[];
}

/**
 * The record with so many void lookups gone that the rest is within the limit: dead terms first,
 * then addresses in place of hosts of the other family, then terms that lead to void ones. Of terms
 * that may find something for other mail none goes: the sender's own comes before them.
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

  const others = left.filter(({ instead }) => instead.length > 0);
  if (left.length > MAX_VOID_LOOKUPS && others.length > 0) {
    for (const { term, instead } of others) good.set(term, instead);
    left = left.filter(({ instead }) => instead.length === 0);
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

/** The terms that lead to void ones, those with the most first. */
function heaviestFirst(voids: readonly Void[]): readonly string[] {
  const byTop = [...Map.groupBy(voids, ({ top }) => top)];
  return byTop.sort(([, a], [, b]) => b.length - a.length).map(([top]) => top);
}

/** A term as a text shows it: it may be 60 KB long. */
export const cutTerm = (text: string): string =>
  text.length > 200 ? `${text.slice(0, 199)}…` : text;

/** Each term once; one of another record behind the term that leads to it. */
export const formatTerms = (places: readonly SpfFacts['wideTerms'][number][]): string => {
  const byTop = [...Map.groupBy(places, ({ top }) => top)];
  return formatList(
    byTop.map(([top, all]) => {
      const terms = [...new Set(all.map(({ term }) => term))].filter((term) => term !== top);
      return terms.length > 0 ? `${top} (with ${formatList(terms)})` : top;
    }),
  );
};
