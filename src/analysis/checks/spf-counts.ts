import { defineCheck } from '../define-check.ts';
import { type Facts, known, type SpfFacts, unknown } from '../facts.ts';
import { thenLooked } from '../looked.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from '../records/spf.ts';
import { oneRecord } from './spf-corrections.ts';
import { askLater, correctVoids, inWords } from './spf-void.ts';

/** From here on one more `include:` can break the record. Our own margin, in look-ups. */
const NEAR_LIMIT = 9;

/**
 * The terms of the SPF record that query the DNS (`include`, `a`, `mx`, `ptr`, `exists`,
 * `redirect`) stay within the limit, counted through every include.
 *
 * Unit: look-ups. Source: RFC 7208 §4.6.4.
 */
export const spfLookupLimit = defineCheck({
  id: 'spf_lookup_limit',
  subject: (facts) => counted(facts, 'lookups'),
  ladder: [
    ['fail', ({ count }) => count > MAX_LOOKUPS],
    ['warn', ({ count }) => count >= NEAR_LIMIT],
  ],
  detail: ({ count }) => `${count} look-ups; the limit is ${MAX_LOOKUPS}.`,
  values: ({ count, spf }) => ({ n: count, term: spf.heaviest ?? 'one look-up' }),
});

/**
 * Look-ups of the record that find nothing stay within the limit: one for each term, and one for
 * each `%{p}` in it. A name made of what is this mail's own counts as far as a receiver comes.
 *
 * Unit: look-ups. Source: RFC 7208 §4.6.4.
 */
export const spfVoidLookups = defineCheck({
  id: 'spf_void_lookups',
  subject: (facts) => counted(facts, 'void_lookups'),
  ladder: [
    ['warn', ({ count }) => count > MAX_VOID_LOOKUPS],
    ['info', ({ spf }) => spf.voidQuestions > MAX_VOID_LOOKUPS],
  ],
  detail: ({ count, spf: { voidTerms, voidQuestions } }) => {
    const said = `${count} void look-ups${count > 0 ? ` (${inWords(voidTerms)})` : ''}; the limit is ${MAX_VOID_LOOKUPS}.`;
    return voidQuestions > MAX_VOID_LOOKUPS && count <= MAX_VOID_LOOKUPS
      ? `${said} ${voidQuestions} questions found nothing, which receivers that count questions do not pass.`
      : said;
  },
  fixes: ({ spf, count }, facts) =>
    count > MAX_VOID_LOOKUPS ? [correctVoids(spf, facts).measure] : ['questions'],
  values: ({ spf, count }, facts) => {
    if (count <= MAX_VOID_LOOKUPS) return { corrected_record: askLater(spf, facts) };
    const { record, terms } = correctVoids(spf, facts);
    return { corrected_record: record, terms };
  },
});

/** A count of the static walk; unknown when a part of the tree did not answer. */
const counted = (facts: Facts, key: 'lookups' | 'void_lookups') => {
  const one = oneRecord(facts);
  return (
    one &&
    thenLooked<SpfFacts, { spf: SpfFacts; count: number }>(one, (value) => {
      const count = value.report[key];
      return count === undefined
        ? unknown(`dns: SPF includes of ${value.report.domain}: not all answered`)
        : known({ spf: value, count });
    })
  );
};
