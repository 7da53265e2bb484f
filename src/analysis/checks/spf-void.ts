import type { Facts, SpfFacts } from '../facts.ts';
import { ipTerm } from '../fill.ts';
import { list } from '../in-words.ts';
import { addTerm, replaceTerms } from '../records/correct-spf.ts';
import { isQuerying, MAX_VOID_LOOKUPS, parseSpf } from '../records/spf.ts';
import { keepSender, newTerm, ownRecord } from './spf-corrections.ts';

type Void = SpfFacts['voidTerms'][number];

const isOwn = ({ term, top }: Void): boolean => term === top;

/** Nobody's mail finds anything there. */
const isDead = (one: Void): boolean => isOwn(one) && !one.isOfSender && one.instead.length === 0;

/** How far the record has to be changed, the mildest first; the catalogue's cases. */
type Measure = 'fix' | 'other_family' | 'nested' | 'of_sender';

/**
 * The record with so many void look-ups gone that the rest is within the limit: dead terms first,
 * then addresses in place of hosts of the other family, then terms that lead to void ones. Of terms
 * that may find something for other mail none goes: the sender's own comes before them.
 */
export function correctVoids(spf: SpfFacts, facts: Facts) {
  const dead = spf.voidTerms.filter(isDead);
  let left = spf.voidTerms.filter((one) => !isDead(one));
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
    good.set(top, []);
    nested.push(...left.filter((one) => one.top === top));
    left = left.filter((one) => one.top !== top);
    [measure, terms] = ['nested', nested];
  }
  const record = keepSender(replaceTerms(ownRecord(spf), good), spf, facts);
  const [first] = left;
  if (left.length <= MAX_VOID_LOOKUPS || !first) return { record, measure, terms: inWords(terms) };
  return {
    record: addTerm(record, newTerm(ownRecord(spf), facts), first.top),
    measure: 'of_sender' as const,
    terms: inWords(left),
  };
}

/** The record with the sending IP before the first term that asks the DNS. */
export function askLater(spf: SpfFacts, facts: Facts): string {
  const record = ownRecord(spf);
  const asking = parseSpf(record).find(isQuerying)?.text ?? null;
  return addTerm(record, ipTerm(facts.names.ip), asking);
}

/** The terms that lead to void ones, those with the most first. */
function heaviestFirst(voids: readonly Void[]): readonly string[] {
  const byTop = [...Map.groupBy(voids, ({ top }) => top)];
  return byTop.sort(([, a], [, b]) => b.length - a.length).map(([top]) => top);
}

/** Each term once; one of another record behind the term that leads to it. */
export const inWords = (places: readonly SpfFacts['wideTerms'][number][]): string => {
  const byTop = [...Map.groupBy(places, ({ top }) => top)];
  return list(
    byTop.map(([top, all]) => {
      const terms = [...new Set(all.map(({ term }) => term))].filter((term) => term !== top);
      return terms.length > 0 ? `${top} (with ${list(terms)})` : top;
    }),
  );
};
