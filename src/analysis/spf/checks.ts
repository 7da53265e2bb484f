import { senderTerm } from '../advice/fill.ts';
import { defineCheck } from '../define-check.ts';
import { type Facts, known, type LookupResult, type SpfFacts, unknown } from '../facts.ts';
import { formatCount } from '../format.ts';
import { ifKnown, mapLookup, thenLookup } from '../lookup-result.ts';
import { isPublicDomain, isPublicHost } from '../names/host-name.ts';
import { isSharedPool } from '../names/shared-pools.ts';
import { mergeRecords } from './correct.ts';
import { isReverse } from './correct-term.ts';
import {
  brokenOf,
  correctHelo,
  correctSpf,
  endStrictly,
  inPrint,
  oneRecord,
  spfRecordsOf,
  toPublish,
} from './fixes.ts';
import { isLengthFault } from './lint.ts';
import { isAll, MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from './parse.ts';
import { formatTerms } from './void-lookups.ts';

export const spfRecord = defineCheck({
  id: 'spf_record',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => spfRecordsOf(spf).length === 0]],
  detail: (spf) => {
    const { length } = spfRecordsOf(spf);
    const elsewhere = length === 0 ? spf.syntaxFaults.map(({ bad }) => ` Found: ${bad}.`) : [];
    const none = spf.lookalike === undefined ? '' : ` Found: ${spf.lookalike}, which is none.`;
    return `${length} v=spf1 TXT at ${spf.report.domain}.${none}${elsewhere.join('')}`;
  },
  fixes: ({ syntaxFaults, report, lookalike }) => {
    if (report.scope === 'mailfrom' && !isPublicDomain(report.domain)) return ['no_domain'];
    if (report.scope === 'helo' && !isPublicHost(report.domain)) return ['no_name'];
    if (lookalike !== undefined) return ['lookalike'];
    // Without a record the only fault there can be is one in another place.
    return syntaxFaults.length > 0 ? ['elsewhere'] : [];
  },
  values: (spf, facts) =>
    spf.lookalike === undefined ? {} : { records: inPrint(correctSpf(spf, facts).record, spf) },
});

export const spfMultipleRecords = defineCheck({
  id: 'spf_multiple_records',
  subject: ({ spf }) => spf,
  ladder: [['fail', (spf) => spfRecordsOf(spf).length > 1]],
  detail: (spf) =>
    `${formatCount(spfRecordsOf(spf).length, 'v=spf1 record')}; more than one is a permerror.`,
  values: (spf) => ({ merged_record: mergeRecords(spfRecordsOf(spf)) }),
});

/** Whether one of the other SPF checks names the cause of a `permerror`. */
const isExplained = (spf: SpfFacts): boolean =>
  spfRecordsOf(spf).length > 1 ||
  (spf.report.lookups ?? 0) > MAX_LOOKUPS ||
  (spf.report.void_lookups ?? 0) > MAX_VOID_LOOKUPS ||
  (spf.brokenTerms.length === 0 && spf.syntaxFaults.some(({ severity }) => severity === 'fail'));

/** Left out when another check has the cause of the `permerror`: there is no result to judge. */
export const spfResult = defineCheck({
  id: 'spf_result',
  subject: ({ spf }) =>
    thenLookup<SpfFacts, SpfFacts>(spf, (value) => {
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
      ...brokenOf(spf).map(({ term, why }) => `${term} is broken: ${why}`),
    ];
    return `${[`${result} for ${ip ?? 'the sending IP'} at ${domain}`, ...cause].join(', ')}.`;
  },
  fixes: (spf, facts) => {
    if (brokenOf(spf).some(({ isOfSender }) => isOfSender)) return ['of_sender'];
    return senderTerm(facts).startsWith('include:') ? ['pool'] : [];
  },
  values: (spf, facts) => ({
    records: inPrint(correctSpf(spf, facts).record, spf),
    terms: brokenOf(spf).find(({ isOfSender }) => isOfSender)?.term ?? '',
  }),
});

/** What ends the record. Where its text makes a permerror, what it would be without that. */
const endOf = (spf: SpfFacts) =>
  spf.report.result === 'permerror' && spf.syntaxFaults.some(({ severity }) => severity === 'fail')
    ? (spf.corrected ?? spf)
    : spf;

/** RFC 7208 §6.1: beside `all`, `redirect=` is ignored wherever it stands. */
const ignoredRedirects = ({ report }: SpfFacts): readonly string[] => {
  const terms = parseSpf(report.record ?? '');
  const redirects = terms.filter(({ kind, name }) => kind === 'modifier' && name === 'redirect');
  return terms.some(isAll) ? redirects.map(({ text }) => text) : [];
};

export const spfAllQualifier = defineCheck({
  id: 'spf_all_qualifier',
  subject: (facts) => {
    const one = oneRecord(facts);
    return (
      one &&
      thenLookup<SpfFacts, SpfFacts>(one, (value) => {
        const { effectiveAll, wideTerms } = endOf(value);
        return effectiveAll === 'unknown' && wideTerms.length === 0
          ? unknown(`dns: SPF redirect= of ${value.report.domain}: no answer`)
          : known({ ...value, effectiveAll, wideTerms });
      })
    );
  },
  ladder: [
    ['fail', ({ wideTerms, effectiveAll }) => wideTerms.length > 0 || effectiveAll === '+'],
    ['warn', ({ effectiveAll }) => effectiveAll === '?' || effectiveAll === null],
    ['info', ({ effectiveAll }, facts) => effectiveAll === '~' && !isEnforced(facts)],
  ],
  detail: (spf, facts) => {
    const ignored = ignoredRedirects(spf).map((text) => ` ${text} beside it is ignored.`);
    return `${sayEnd(spf, facts)}${ignored.join('')}`;
  },
  fixes: ({ wideTerms }) => (wideTerms.some(isNested) ? ['nested'] : []),
  values: (spf, facts) => ({
    records: inPrint(endStrictly(spf, facts), spf),
    terms: formatTerms(spf.wideTerms.filter(isNested)),
  }),
});

function sayEnd({ wideTerms, effectiveAll, brokenTerms }: SpfFacts, facts: Facts): string {
  if (wideTerms.length > 0) return `Allows nearly everybody: ${formatTerms(wideTerms)}.`;
  if (effectiveAll === '~' && isEnforced(facts))
    return 'The record ends with ~all, and DMARC is enforced.';
  if (effectiveAll !== null) return `The record ends with ${effectiveAll}all.`;
  const redirect = brokenTerms.find(({ term }) => /^redirect=/i.test(term));
  return redirect
    ? `The record ends with ${redirect.term}, which is broken: ${redirect.why}.`
    : 'The record has no all and no redirect=.';
}

/** Whether receivers act on a failure of DMARC; then `-all` adds nothing but refusals of forwarded mail. */
const isEnforced = ({ dmarc, names, spf }: Facts): boolean => {
  const { effective_policy: policy, testing } = ifKnown(dmarc)?.report ?? {};
  const domain = ifKnown(spf)?.report.domain ?? '';
  const organization = names.fromOrganizationalDomain;
  const isOwn = organization !== null && `.${domain}`.endsWith(`.${organization}`);
  return isOwn && !testing && (policy === 'quarantine' || policy === 'reject');
};

const isNested = ({ term, top }: SpfFacts['wideTerms'][number]): boolean => term !== top;

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
    const others = spf.syntaxFaults.filter((fault) => !isLengthFault(fault));
    const isLong = toPublish(correctSpf(spf, facts).record, spf).isLong ? ['long'] : [];
    if (others.length === 0) return isLong;
    return [others.every(isReverseTerm) ? 'reverse' : 'fix', ...isLong];
  },
  values: (spf, facts) => ({ records: inPrint(correctSpf(spf, facts).record, spf) }),
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
  subject: ({ spf, names: { helo } }): LookupResult<string> | undefined =>
    helo === null || !isPublicHost(helo) || isSharedPool(helo)
      ? undefined
      : thenLookup(spf, (value) =>
          thenLookup(value.helo, ({ result }) =>
            result === 'temperror'
              ? unknown(`dns: SPF of ${helo}: temperror`)
              : mapLookup(value.helo, () => result),
          ),
        ),
  ladder: [['info', (result) => result !== 'pass']],
  detail: (result, { names: { helo } }) => `${result} for ${helo?.replace(/\.$/, '')}.`,
  values: (_, facts) => {
    const spf = ifKnown(facts.spf);
    return spf ? { corrected_record: correctHelo(spf, facts) } : {};
  },
});
