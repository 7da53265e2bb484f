import { defineCheck } from '../define-check.ts';
import { known, type Looked, type SpfFacts, unknown } from '../facts.ts';
import { isPublicHost, senderTerm } from '../fill.ts';
import { count, list } from '../in-words.ts';
import { ifKnown, mapLooked, thenLooked } from '../looked.ts';
import { addTerm, endWithFail, mergeRecords, termsOf } from '../records/correct-spf.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from '../records/spf.ts';
import { isReverse } from '../records/spf-lint.ts';
import { isSharedPool } from '../shared-pools.ts';
import {
  correctHelo,
  correctSyntax,
  keepSender,
  mendFaults,
  newTerm,
  oneRecord,
  ownRecord,
  recordsOf,
  withoutTerms,
} from './spf-corrections.ts';
import { inWords } from './spf-void.ts';

export const spfRecord = defineCheck({
  id: 'spf_record',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => recordsOf(spf).length === 0]],
  detail: (spf) => {
    const { length } = recordsOf(spf);
    const elsewhere = length === 0 ? spf.syntaxFaults.map(({ bad }) => ` Found: ${bad}.`) : [];
    return `${length} v=spf1 TXT at ${spf.report.domain}.${elsewhere.join('')}`;
  },
  fixes: ({ syntaxFaults, report }) => {
    if (!isPublicHost(report.domain)) return ['no_name'];
    // Without a record the only fault there can be is one in another place.
    return syntaxFaults.length > 0 ? ['elsewhere'] : [];
  },
});

export const spfMultipleRecords = defineCheck({
  id: 'spf_multiple_records',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => recordsOf(spf).length > 1]],
  detail: (spf) =>
    `${count(recordsOf(spf).length, 'v=spf1 record')}; more than one is a permerror.`,
  values: (spf) => ({ merged_record: mergeRecords(recordsOf(spf)) }),
});

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
  fixes: (spf, facts) => {
    if (broken(spf).length > lost(spf).length) return ['of_sender'];
    return senderTerm(facts).startsWith('include:') ? ['pool'] : [];
  },
  values: (spf, facts) => {
    const own = ownRecord(spf);
    // What breaks the text makes a permerror, too.
    const faults = spf.syntaxFaults.filter(({ severity }) => severity === 'fail');
    const sound = faults.length > 0 ? mendFaults(spf, faults) : own;
    const record = keepSender(withoutTerms(sound, lost(spf)), spf, facts);
    const kept = broken(spf).find(({ isOfSender }) => isOfSender)?.term;
    // Where it is not known what is broken the sender comes before all of it.
    const isBlind = spf.report.result === 'permerror' && lost(spf).length === 0;
    const before = kept ?? (isBlind ? termsOf(own)[0] : undefined);
    return {
      corrected_record: before ? addTerm(record, newTerm(own, facts), before) : record,
      terms: kept ?? '',
    };
  },
});

/** Broken terms that are so for all mail, and can go. */
const lost = (spf: SpfFacts): readonly string[] =>
  broken(spf).flatMap(({ term, isOfSender }) => (isOfSender ? [] : [term]));

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
  detail: ({ wideTerms, effectiveAll, brokenTerms }) => {
    if (wideTerms.length > 0) return `Allows nearly everybody: ${inWords(wideTerms)}.`;
    if (effectiveAll !== null) return `The record ends with ${effectiveAll}all.`;
    const redirect = brokenTerms.find(({ term }) => /^redirect=/i.test(term));
    return redirect
      ? `The record ends with ${redirect.term}, which is broken: ${redirect.why}.`
      : 'The record has no all and no redirect=.';
  },
  fixes: ({ wideTerms }) => (wideTerms.some(isNested) ? ['nested'] : []),
  values: (spf, facts) => ({
    corrected_record: keepSender(endWithFail(ownRecord(spf), toDrop(spf)), spf, facts),
    terms: inWords(spf.wideTerms.filter(isNested)),
  }),
});

const isNested = ({ term, top }: SpfFacts['wideTerms'][number]): boolean => term !== top;

/** Terms without which the record is sound. */
const toDrop = ({ wideTerms, brokenTerms }: SpfFacts): readonly string[] => [
  ...wideTerms.map(({ top }) => top),
  ...brokenTerms.flatMap(({ term, isOfSender }) => (isOfSender ? [] : [term])),
];

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
  fixes: (spf, facts) => {
    if (spf.syntaxFaults.every(isType99)) return ['type99'];
    const { parts, isLong } = correctSyntax(spf, facts);
    if (parts.length > 0) return ['split'];
    return isLong ? ['long'] : spf.syntaxFaults.every(isReverseTerm) ? ['reverse'] : [];
  },
  values: (spf, facts) => {
    const { record, parts } = correctSyntax(spf, facts);
    return {
      corrected_record: record,
      parts: list(parts.map((part) => `TXT ${part.name} "${part.record}"`)),
    };
  },
});

const isReverseTerm = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  parseSpf(`v=spf1 ${bad}`).every(isReverse);

const isType99 = ({ bad }: SpfFacts['syntaxFaults'][number]): boolean =>
  bad.startsWith('the SPF (type 99)');

/**
 * Only for a HELO that others can look up, which `helo_valid` judges, and that may be the sender's
 * own: that of a shared pool is the provider's business.
 */
export const spfHelo = defineCheck({
  id: 'spf_helo',
  subject: ({ spf, names: { helo } }): Looked<string> | undefined =>
    helo === null || !isPublicHost(helo) || isSharedPool(helo)
      ? undefined
      : thenLooked(spf, (value) =>
          thenLooked(value.helo, ({ result }) =>
            result === 'temperror'
              ? unknown(`dns: SPF of ${helo}: temperror`)
              : mapLooked(value.helo, () => result),
          ),
        ),
  ladder: [['info', (result) => result !== 'pass']],
  detail: (result, { names: { helo } }) => `${result} for ${helo?.replace(/\.$/, '')}.`,
  values: (_, facts) => {
    const spf = ifKnown(facts.spf);
    return spf ? { corrected_record: correctHelo(spf, facts) } : {};
  },
});
