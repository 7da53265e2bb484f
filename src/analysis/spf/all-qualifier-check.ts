/** The check of how an SPF record ends: with `-all`, `~all`, an open end, or `redirect=`. */

import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import type { SpfFacts } from './facts.ts';
import { oneRecord, spfCause, spfChanges, spfOthers, spfSteps } from './fixes.ts';
import { isAll, parseSpf } from './parse.ts';
import { formatTerms } from './void-lookups.ts';

/**
 * Returns the facts about a record's end. If receivers cannot evaluate the record, they are those of the
 * corrected record.
 */
const endOf = ({ report, corrected, ...published }: SpfFacts) =>
  report.result === 'permerror' && corrected
    ? { ...corrected, wideTerms: corrected.wideToday }
    : published;

/**
 * Returns the `redirect=` terms of a record that has `all`, because receivers then ignore them wherever they
 * are (RFC 7208 §6.1).
 */
const ignoredRedirects = ({ report }: SpfFacts): readonly string[] => {
  const terms = parseSpf(report.record ?? '');
  const redirects = terms.filter(({ kind, name }) => kind === 'modifier' && name === 'redirect');
  return terms.some(isAll) ? redirects.map(({ text }) => text) : [];
};

export const spfAllQualifier = check({
  id: 'spf_all_qualifier',
  family: 'spf',
  gate: 'spf_record',
  title: 'SPF default (all)',
  source: 'RFC 7208 §5.1, §6.1',
  about: {
    what: 'The last term of an SPF record says what to do with every server that is not listed: -all refuses it, ~all marks it as doubtful, ?all says nothing about it, +all allows it.',
    why: 'With +all, anyone may send as you. With ?all, or without such a last term, the record does not protect you at all.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'End the record with ~all. Change it to -all once you are sure that all your systems are listed.',
    ],
    bad: '"v=spf1 include:_spf.google.com +all"',
    good: '"v=spf1 include:_spf.google.com ~all"',
  },
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
        // A part of the record that could not be looked up may authorize nearly everyone.
        const isOpen = lookups === undefined && (effectiveAll === '-' || effectiveAll === '~');
        return isOpen
          ? unknown(`dns: SPF includes of ${domain}: not all answered`)
          : known({ ...value, effectiveAll, wideTerms });
      })
    );
  },
  states: ({ fail, warn, info, pass }) => ({
    open: fail(10).when(
      '+all, or address ranges wider than a /8 (IPv4) or /19 (IPv6)',
      ({ wideTerms, effectiveAll }) => wideTerms.length > 0 || effectiveAll === '+',
    ),
    missing: warn(4).when(
      '?all, or no all and no redirect=',
      ({ effectiveAll }) => effectiveAll === '?' || effectiveAll === null,
    ),
    soft: info.when(
      '~all, while DMARC is not enforced',
      ({ effectiveAll }, facts) => effectiveAll === '~' && !isEnforced(facts),
    ),
    closed: pass(
      '-all, ~all with an enforced DMARC policy, or redirect= to a record that ends this way',
    ),
  }),
  detail: (spf, facts) => {
    const ignored = ignoredRedirects(spf).map((text) => ` ${text} in the same record is ignored.`);
    return `${describeEnd(spf, facts)}${ignored.join('')}`;
  },
  evidence: (spf) => ({
    all: spf.effectiveAll === 'unknown' ? null : spf.effectiveAll,
    wide_terms: spf.wideTerms.map(({ term }) => term),
    ignored: ignoredRedirects(spf),
  }),
  fix: {
    why: 'Your SPF record does not say what to do with servers that it does not list.',
    do: 'Add ~all at the end of the record.',
  },
  fixes: {
    wide: {
      why: 'Your SPF record contains {terms}, which lets nearly anyone send as you.',
      do: 'Replace {terms} with the servers and services that send for you.',
    },
    nested: {
      why: 'Your SPF record refers to another record that lets nearly anyone send as you: {terms}.',
      do: 'Replace {terms} with the servers and services that send for you.',
    },
    neutral: {
      why: 'Your SPF record ends in ?all, which says nothing about servers that it does not list.',
      do: 'Write ~all instead of ?all.',
    },
    redirect: {
      why: 'Your SPF record points to another record (redirect=) that cannot be used, so it says nothing about servers that it does not list.',
      do: 'Write ~all instead of redirect=.',
    },
  },
  steps: spfSteps,
  others: spfOthers,
  cause: spfCause,
  cases: ({ wideTerms, effectiveAll, brokenTerms }) => {
    if (wideTerms.length > 0) return [wideTerms.some(isNested) ? 'nested' : 'wide'];
    if (effectiveAll === '?') return ['neutral'];
    return brokenTerms.some(({ term }) => /^redirect=/i.test(term)) ? ['redirect'] : [];
  },
  more: spfChanges,
  values: (spf) => ({ terms: formatTerms(spf.wideTerms) }),
});

function describeEnd({ wideTerms, effectiveAll, brokenTerms }: SpfFacts, facts: Facts): string {
  if (wideTerms.length > 0) return `Allows nearly anyone: ${formatTerms(wideTerms)}.`;
  if (effectiveAll === '~' && isEnforced(facts))
    return 'The record ends with ~all, and DMARC is enforced.';
  if (effectiveAll !== null) return `The record ends with ${effectiveAll}all.`;
  const redirect = brokenTerms.find(({ term }) => /^redirect=/i.test(term));
  return redirect
    ? `The record ends with ${redirect.term}, which is broken: ${redirect.why}.`
    : 'The record has neither an “all” term nor a “redirect=” term.';
}

/**
 * Returns whether receivers act on a DMARC failure. If they do, `-all` only makes them refuse forwarded mail
 * too.
 */
const isEnforced = ({ dmarc, names, spf }: Facts): boolean => {
  const { effective_policy: policy, testing } = ifKnown(dmarc)?.report ?? {};
  const domain = ifKnown(spf)?.report.domain ?? '';
  const organization = names.fromOrganizationalDomain;
  const isOwn = organization !== null && `.${domain}`.endsWith(`.${organization}`);
  return isOwn && !testing && (policy === 'quarantine' || policy === 'reject');
};

const isNested = ({ term, top }: SpfFacts['wideTerms'][number]): boolean => term !== top;
