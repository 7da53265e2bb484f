import type { SpfFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import { oneRecord, spfCause, spfChanges, spfOthers, spfSteps } from './fixes.ts';
import { isAll, parseSpf } from './parse.ts';
import { formatTerms } from './void-lookups.ts';

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
        if (wideTerms.length > 0) return known({ ...value, effectiveAll, wideTerms });
        const { domain, lookups } = value.report;
        if (effectiveAll === 'unknown')
          return unknown(`dns: SPF redirect= of ${domain}: no answer`);
        // What did not answer may let nearly everybody in.
        const isOpen = lookups === undefined && (effectiveAll === '-' || effectiveAll === '~');
        return isOpen
          ? unknown(`dns: SPF includes of ${domain}: not all answered`)
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
    return `${describeEnd(spf, facts)}${ignored.join('')}`;
  },
  steps: spfSteps,
  others: spfOthers,
  cause: spfCause,
  fixes: ({ wideTerms, effectiveAll, brokenTerms }) => {
    if (wideTerms.length > 0) return [wideTerms.some(isNested) ? 'nested' : 'wide'];
    if (effectiveAll === '?') return ['neutral'];
    return brokenTerms.some(({ term }) => /^redirect=/i.test(term)) ? ['redirect'] : [];
  },
  more: spfChanges,
  values: (spf) => ({ terms: formatTerms(spf.wideTerms) }),
});

function describeEnd({ wideTerms, effectiveAll, brokenTerms }: SpfFacts, facts: Facts): string {
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
