import { defineCheck } from '../define-check.ts';
import { type Facts, known, type Looked, type SpfFacts, unknown } from '../facts.ts';
import { ipTerm, isPublicHost } from '../fill.ts';
import { mapLooked, thenLooked } from '../looked.ts';
import { addTerm, endWithFail, mergeRecords, replaceTerm } from '../records/correct-spf.ts';

/** DNS look-ups after which a receiver must answer `permerror`: RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10;

/** From here on one more `include:` can break the record. Our own margin, in look-ups. */
const NEAR_LIMIT = 9;

/** Look-ups that find nothing, after which a receiver may answer `permerror`: RFC 7208 §4.6.4. */
const MAX_VOID_LOOKUPS = 2;

const recordsOf = ({ report }: SpfFacts): readonly string[] =>
  report.records ?? (report.record ? [report.record] : []);

/** The record to correct: the one there is, or all in one. */
const ownRecord = (spf: SpfFacts): string => {
  const records = recordsOf(spf);
  return records.length > 1 ? mergeRecords(records) : (spf.report.record ?? records[0] ?? 'v=spf1');
};

export const spfRecord = defineCheck({
  id: 'spf_record',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => recordsOf(spf).length === 0]],
  detail: (spf) => {
    const { length } = recordsOf(spf);
    const elsewhere = length === 0 ? spf.syntaxFaults.map(({ bad }) => ` Found: ${bad}.`) : [];
    return `${length} v=spf1 TXT at ${spf.report.domain}.${elsewhere.join('')}`;
  },
});

export const spfMultipleRecords = defineCheck({
  id: 'spf_multiple_records',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => recordsOf(spf).length > 1]],
  detail: (spf) => `${recordsOf(spf).length} v=spf1 records; more than one is a permerror.`,
  values: (spf) => ({ merged_record: mergeRecords(recordsOf(spf)) }),
});

/** Left out when there are several: then no one record counts, and no term of any is read. */
const oneRecord = ({ spf }: Facts) =>
  thenLooked<SpfFacts, SpfFacts>(spf, (value) =>
    recordsOf(value).length > 1 ? undefined : known(value),
  );

/** Whether one of the other SPF checks names the cause of a `permerror`. */
const isExplained = (spf: SpfFacts): boolean =>
  recordsOf(spf).length > 1 ||
  (spf.report.lookups ?? 0) > MAX_LOOKUPS ||
  (spf.report.void_lookups ?? 0) > MAX_VOID_LOOKUPS ||
  (spf.brokenTerms.length === 0 && spf.syntaxFaults.some(({ severity }) => severity === 'fail'));

/** RFC 7208 §5.2, §6.1: what includes or redirects to no record makes the whole a permerror. */
const broken = ({ report, brokenTerms }: SpfFacts): SpfFacts['brokenTerms'] =>
  report.result === 'permerror' ? brokenTerms : [];

/** Left out when another check has the cause of the `permerror`: there is no result to judge. */
export const spfResult = defineCheck({
  id: 'spf_result',
  subject: ({ spf }) =>
    thenLooked<SpfFacts, SpfFacts>(spf, (value) => {
      const { result, domain } = value.report;
      if (result === 'temperror') return unknown(`dns: SPF of ${domain}: temperror`);
      return result === 'permerror' && isExplained(value) ? undefined : known(value);
    }),
  ladder: [
    ['fail', ({ report: { result } }) => result === 'fail' || result === 'permerror'],
    ['warn', ({ report: { result } }) => result === 'softfail'],
    ['warn', ({ report: { result } }) => result === 'neutral' || result === 'none'],
  ],
  detail: (spf, { names: { ip } }) => {
    const { result, domain, matched_term, error } = spf.report;
    const cause = [
      ...(matched_term ? [`by "${matched_term}"`] : []),
      ...(error ? [error] : []),
      ...broken(spf).map(({ term, why }) => `${term} is broken: ${why}`),
    ];
    return `${[`${result} for ${ip ?? 'the sending IP'} at ${domain}`, ...cause].join(', ')}.`;
  },
  values: (spf, { names: { ip } }) => {
    const own = broken(spf).reduce(
      (record, { term }) => replaceTerm(record, term, ''),
      ownRecord(spf),
    );
    return { corrected_record: addTerm(own, ipTerm(ip), spf.report.matched_term) };
  },
});

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
  values: ({ count, spf }) => ({ n: count, include: spf.heaviest ?? 'not an include: term' }),
});

export const spfVoidLookups = defineCheck({
  id: 'spf_void_lookups',
  subject: (facts) => counted(facts, 'void_lookups'),
  ladder: [['warn', ({ count }) => count > MAX_VOID_LOOKUPS]],
  detail: ({ count }) => `${count} void look-ups; the limit is ${MAX_VOID_LOOKUPS}.`,
  values: ({ spf }) => ({ term: spf.voidTerms.join(', ') || 'see the record' }),
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

export const spfAllQualifier = defineCheck({
  id: 'spf_all_qualifier',
  subject: (facts) => {
    const one = oneRecord(facts);
    return (
      one &&
      thenLooked<SpfFacts, SpfFacts>(one, (value) =>
        value.effectiveAll === 'unknown' && value.wideTerms.length === 0
          ? unknown(`dns: SPF redirect= of ${value.report.domain}: no answer`)
          : known(value),
      )
    );
  },
  ladder: [
    ['fail', ({ wideTerms, effectiveAll }) => wideTerms.length > 0 || effectiveAll === '+'],
    ['warn', ({ effectiveAll }) => effectiveAll === '?' || effectiveAll === null],
    ['info', ({ effectiveAll }) => effectiveAll === '~'],
  ],
  detail: ({ wideTerms, effectiveAll }) =>
    wideTerms.length > 0
      ? `Allows nearly everybody: ${wideTerms.join(', ')}.`
      : effectiveAll === null
        ? 'The record has no all and no redirect=.'
        : `The record ends with ${effectiveAll}all.`,
  values: (spf) => ({ corrected_record: endWithFail(ownRecord(spf), spf.wideTerms) }),
});

export const spfSyntax = defineCheck({
  id: 'spf_syntax',
  subject: oneRecord,
  ladder: [
    ['fail', ({ syntaxFaults }) => syntaxFaults.some(({ severity }) => severity === 'fail')],
    ['warn', ({ syntaxFaults }) => syntaxFaults.length > 0],
  ],
  detail: ({ syntaxFaults }) =>
    syntaxFaults.length === 0
      ? 'No faults.'
      : `${syntaxFaults.length} to mend: ${syntaxFaults.map(({ bad }) => bad).join(', ')}.`,
  values: (spf) => {
    const fault =
      spf.syntaxFaults.find(({ severity }) => severity === 'fail') ?? spf.syntaxFaults[0];
    if (!fault) return {};
    // A term that has to go has no replacement of its own: the whole record has.
    return fault.good
      ? { bad_term: fault.bad, good_term: fault.good }
      : {
          bad_term: ownRecord(spf),
          good_term: replaceTerm(ownRecord(spf), fault.bad, ''),
        };
  },
});

/** Only for a HELO that others can look up; `helo_valid` judges the others. */
export const spfHelo = defineCheck({
  id: 'spf_helo',
  subject: ({ spf, names: { helo } }): Looked<string> | undefined =>
    helo === null || !isPublicHost(helo)
      ? undefined
      : thenLooked(spf, (value) =>
          thenLooked(value.helo, ({ result }) =>
            result === 'temperror'
              ? unknown(`dns: SPF of ${helo}: temperror`)
              : mapLooked(value.helo, () => result),
          ),
        ),
  ladder: [['info', (result) => result !== 'pass']],
  detail: (result, { names: { helo } }) => `${result} for ${helo}.`,
});
