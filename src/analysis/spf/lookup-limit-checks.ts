import type { SpfFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { oneRecord, spfCause, spfChanges, spfOthers, spfSteps, whatToRemove } from './fixes.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from './parse.ts';
import { planSpf } from './plan.ts';
import { formatTerms } from './void-lookups.ts';

/** From here on one more `include:` can break the record. Our own margin, in lookups. */
const NEAR_LIMIT = 9;

type Counted = { readonly spf: SpfFacts; readonly count: number };

const shared = {
  steps: ({ spf }: Counted, facts: Facts) => spfSteps(spf, facts),
  others: ({ spf }: Counted, facts: Facts) => spfOthers(spf, facts),
  cause: ({ spf }: Counted) => spfCause(spf),
  more: ({ spf }: Counted, facts: Facts) => spfChanges(spf, facts),
};

/**
 * The terms of the SPF record that query the DNS (`include`, `a`, `mx`, `ptr`, `exists`,
 * `redirect`) stay within the limit, counted through every include.
 *
 * Unit: lookups. Source: RFC 7208 §4.6.4.
 */
export const spfLookupLimit = defineCheck({
  id: 'spf_lookup_limit',
  subject: (facts) => counted(facts, 'lookups'),
  ladder: [
    ['fail', ({ count }) => count > MAX_LOOKUPS],
    ['warn', ({ count }) => count >= NEAR_LIMIT],
  ],
  detail: ({ count, spf }) => {
    const loops = loopsOf(spf).map((term) => ` ${term} leads back to a record it came from.`);
    const over = count > MAX_LOOKUPS ? `, ${count - MAX_LOOKUPS} over` : ';';
    return `${formatCount(count, 'lookup')}${over} the limit of ${MAX_LOOKUPS}.${loops.join('')}`.replace(
      '; the limit of',
      '; the limit is',
    );
  },
  ...shared,
  fixes: ({ spf }) => (loopsOf(spf).length > 0 ? ['loop'] : []),
  steps: ({ spf }, facts) => [
    // What lets this mail pass, as a term in front does, can be done today.
    ...(loopsOf(spf).length > 0 || spf.report.result !== 'pass' ? spfSteps(spf, facts) : []),
    ...(loopsOf(spf).length > 0 ? [] : whatToRemove(spf, facts)),
  ],
  values: ({ count, spf }) => ({
    n: count,
    terms: formatList(loopsOf(spf)),
  }),
});

/**
 * Lookups of the record that find nothing stay within the limit: one for each term, and one for
 * each `%{p}` in it. A name made of what is this mail's own counts as far as a receiver comes.
 *
 * Unit: lookups. Source: RFC 7208 §4.6.4.
 */
export const spfVoidLookups = defineCheck({
  id: 'spf_void_lookups',
  subject: (facts) => counted(facts, 'void_lookups'),
  ladder: [
    ['warn', ({ count }) => count > MAX_VOID_LOOKUPS],
    ['info', ({ spf }) => spf.voidQueries > MAX_VOID_LOOKUPS],
  ],
  detail: ({ count, spf: { voidTerms, voidQueries } }) => {
    const which = count > 0 ? ` (${formatTerms(voidTerms)})` : '';
    const counted = `${formatCount(count, 'void lookup')}${which}; the limit is ${MAX_VOID_LOOKUPS}.`;
    return voidQueries > MAX_VOID_LOOKUPS && count <= MAX_VOID_LOOKUPS
      ? `${counted} ${voidQueries} DNS queries found nothing, and some receivers count queries.`
      : counted;
  },
  ...shared,
  fixes: ({ spf }, facts) => [planSpf(spf, facts).relief.measure],
  values: ({ spf, count }, facts) => ({
    n: count,
    void_terms: formatTerms(spf.voidTerms),
    terms: formatTerms(planSpf(spf, facts).relief.terms),
  }),
});

const loopsOf = ({ brokenTerms }: SpfFacts): readonly string[] => [
  ...new Set(brokenTerms.flatMap(({ term, isLoop }) => (isLoop ? [term] : []))),
];

/** A count of the static walk; unknown when a part of the tree did not answer. */
const counted = (facts: Facts, key: 'lookups' | 'void_lookups') => {
  const one = oneRecord(facts);
  return (
    one &&
    thenLookup<SpfFacts, { spf: SpfFacts; count: number }>(one, (value) => {
      const count = value.report[key];
      return count === undefined
        ? unknown(`dns: SPF includes of ${value.report.domain}: not all answered`)
        : known({ spf: value, count });
    })
  );
};
