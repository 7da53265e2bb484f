import { defineCheck } from '../define-check.ts';
import { type Facts, known, type SpfFacts, unknown } from '../facts.ts';
import { formatList } from '../format.ts';
import { thenLookup } from '../lookup-result.ts';
import { correctSpf, inPrint, oneRecord } from './fixes.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from './parse.ts';
import { formatTerms } from './void-lookups.ts';

/** From here on one more `include:` can break the record. Our own margin, in lookups. */
const NEAR_LIMIT = 9;

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
    return `${count} lookups; the limit is ${MAX_LOOKUPS}.${loops.join('')}`;
  },
  fixes: ({ spf }) => (loopsOf(spf).length > 0 ? ['loop'] : []),
  values: ({ count, spf }, facts) => ({
    n: count,
    most: spf.heaviest === null ? '' : `, ${spf.heaviest} has the most`,
    terms: formatList(loopsOf(spf)),
    records: inPrint(correctSpf(spf, facts).record, spf),
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
    const said = `${count} void lookups${count > 0 ? ` (${formatTerms(voidTerms)})` : ''}; the limit is ${MAX_VOID_LOOKUPS}.`;
    return voidQueries > MAX_VOID_LOOKUPS && count <= MAX_VOID_LOOKUPS
      ? `${said} ${voidQueries} questions found nothing, which receivers that count questions do not pass.`
      : said;
  },
  fixes: ({ spf, count }, facts) =>
    count > MAX_VOID_LOOKUPS ? [correctSpf(spf, facts).measure] : ['questions'],
  values: ({ spf }, facts) => {
    const { record, terms } = correctSpf(spf, facts);
    return { records: inPrint(record, spf), terms: formatTerms(terms) };
  },
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
