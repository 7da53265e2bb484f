import { defineCheck } from '../define-check.ts';
import { type Facts, known, type SpfFacts, unknown } from '../facts.ts';
import { list } from '../in-words.ts';
import { thenLooked } from '../looked.ts';
import { termsOf } from '../records/correct-spf.ts';
import {
  keepSender,
  MAX_LOOKUPS,
  MAX_VOID_LOOKUPS,
  oneRecord,
  ownRecord,
  withoutTerms,
} from './spf-corrections.ts';

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

export const spfVoidLookups = defineCheck({
  id: 'spf_void_lookups',
  subject: (facts) => counted(facts, 'void_lookups'),
  ladder: [['warn', ({ count }) => count > MAX_VOID_LOOKUPS]],
  detail: ({ count, spf: { voidTerms } }) =>
    `${count} void look-ups${count > 0 ? ` (${[...new Set(voidTerms)].join(', ')})` : ''}; the limit is ${MAX_VOID_LOOKUPS}.`,
  fixes: ({ spf }) => [
    ...(ownVoids(spf).length > 0 ? ['fix'] : []),
    ...(ownVoids(spf).length < new Set(spf.voidTerms).size ? ['nested'] : []),
  ],
  values: ({ spf }, facts) => {
    const own = ownVoids(spf);
    return {
      corrected_record: keepSender(withoutTerms(ownRecord(spf), own), spf, facts),
      terms: list([...new Set(spf.voidTerms)].filter((term) => !own.includes(term))),
    };
  },
});

/** Void terms of the record itself: those of included records are others' to mend. */
const ownVoids = (spf: SpfFacts): readonly string[] =>
  termsOf(ownRecord(spf)).filter((term) => spf.voidTerms.includes(term));

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
