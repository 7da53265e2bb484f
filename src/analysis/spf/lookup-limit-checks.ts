/** The checks of how many DNS lookups an SPF record causes, and how many of them find nothing. */

import type { Step } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import type { SpfFacts } from './facts.ts';
import { oneRecord, spfSteps, whatToRemove } from './fixes.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from './parse.ts';
import { planSpf } from './plan.ts';
import { spfFixes } from './record-checks.ts';
import { formatTerms } from './void-lookups.ts';

/** Number of lookups from which one more `include:` can break the record. This margin is our own. */
const NEAR_LIMIT = 9;

/**
 * Limits the terms that query the DNS (`include`, `a`, `mx`, `ptr`, `exists`, `redirect`), counted through
 * every include.
 * Unit: lookups. Source: RFC 7208 §4.6.4.
 */
export const spfLookupLimit = check({
  id: 'spf_lookup_limit',
  family: 'spf',
  gate: 'spf_record',
  title: `SPF DNS lookups (limit ${MAX_LOOKUPS})`,
  source: 'RFC 7208 §4.6.4',
  about: {
    what: `Each include:, a, mx, ptr, exists: and redirect= term of an SPF record costs a DNS query, and so do the terms of included records. At most ${MAX_LOOKUPS} are allowed.`,
    why: `Above ${MAX_LOOKUPS}, receivers stop with a permanent error, and SPF fails for all your mail, even from the servers listed first.`,
    how: [
      'Remove the services that you no longer use.',
      'Replace the terms a and mx with the addresses that they stand for.',
      'Move a service to its own subdomain, such as news.example.com, with a separate SPF record.',
    ],
    bad: '"v=spf1 a mx include:_spf.google.com include:sendgrid.net include:mailgun.org include:servers.mcsv.net … ~all"   (13 queries)',
    good: '"v=spf1 ip4:192.0.2.25 include:_spf.google.com include:mailgun.org ~all"   (7 queries)',
  },
  subject: (facts) => counted(facts, 'lookups'),
  states: ({ fail, suggest, pass }) => ({
    over: fail(12, REFUSED_IN_PART).when(
      `> ${MAX_LOOKUPS} DNS-querying terms`,
      ({ report: { lookups = 0 } }) => lookups > MAX_LOOKUPS,
    ),
    // The record is still allowed, but the next service that is added will break it.
    near: suggest.when(
      `${NEAR_LIMIT} or ${MAX_LOOKUPS} DNS-querying terms`,
      ({ report: { lookups = 0 } }) => lookups >= NEAR_LIMIT,
    ),
    within: pass(`at most ${NEAR_LIMIT - 1}`),
  }),
  detail: (spf) => {
    const { lookups: count = 0 } = spf.report;
    const loops = loopsOf(spf).map((term) => ` ${term} creates a loop.`);
    const over = count > MAX_LOOKUPS ? `, ${count - MAX_LOOKUPS} over` : ';';
    return `${formatCount(count, 'lookup')}${over} the limit of ${MAX_LOOKUPS}.${loops.join('')}`.replace(
      '; the limit of',
      '; the limit is',
    );
  },
  evidence: (spf) => ({
    lookups: spf.report.lookups ?? 0,
    limit: MAX_LOOKUPS,
    loops: loopsOf(spf),
  }),
  fix: {
    why: `Your SPF record needs {n} DNS lookups. Above ${MAX_LOOKUPS}, receivers stop with an error and SPF fails.`,
    do: 'Remove the services that you no longer use from the record.',
  },
  fixes: {
    loop: {
      why: '{terms} creates a loop: it leads back to a record that includes it. Receivers stop with an error.',
      do: 'Remove {terms}.',
    },
  },
  ...spfFixes,
  cases: (spf) => (loopsOf(spf).length > 0 ? ['loop'] : []),
  steps: (spf, facts) => {
    if (loopsOf(spf).length > 0 || correctingIsEnough(spf, facts)) return spfSteps(spf, facts);
    // A change that makes this email pass, such as moving a term to the front, can be published today.
    const first = spf.report.result === 'pass' ? [] : spfSteps(spf, facts);
    const isAsked = ({ value }: Step) => first.some((one) => one.value?.startsWith(value ?? ''));
    return [...first, ...whatToRemove(spf, facts).filter((one) => !isAsked(one))];
  },
  values: (spf) => ({ n: spf.report.lookups ?? 0, terms: formatList(loopsOf(spf)) }),
});

/**
 * Limits the lookups that find nothing. Each term counts once, and so does each `%{p}` in it. A name that
 * depends on this email counts only if a receiver reaches it.
 * Unit: lookups. Source: RFC 7208 §4.6.4.
 */
export const spfVoidLookups = check({
  id: 'spf_void_lookups',
  family: 'spf',
  gate: 'spf_record',
  title: 'SPF void lookups (limit 2)',
  source: 'RFC 7208 §4.6.4',
  about: {
    what: 'A void lookup is a DNS query that finds nothing, for example because a name in the SPF record no longer exists. At most 2 are allowed.',
    why: 'After two, receivers may stop with a permanent error. If a name belongs to nobody, anyone can register it and then send as you.',
    how: [
      'Look up each name in your SPF record.',
      'Remove the ones that do not exist, or correct their spelling.',
    ],
    bad: '"v=spf1 include:_spf.old-provider.example a:mail1.example.com a:mail2.example.com ~all"   (none of them exists)',
    good: '"v=spf1 ip4:192.0.2.25 include:_spf.google.com ~all"',
  },
  subject: (facts) => counted(facts, 'void_lookups'),
  states: ({ warn, info, pass }) => ({
    over: warn(12, REFUSED_IN_PART).when(
      `> ${MAX_VOID_LOOKUPS} void lookups`,
      ({ report: { void_lookups: count = 0 } }) => count > MAX_VOID_LOOKUPS,
    ),
    over_by_queries: info.when(
      `<= ${MAX_VOID_LOOKUPS}, but > ${MAX_VOID_LOOKUPS} queries that found nothing, for example for addresses of MX hosts (pyspf and Mail::SPF count these)`,
      ({ voidQueries }) => voidQueries > MAX_VOID_LOOKUPS,
    ),
    within: pass(`<= ${MAX_VOID_LOOKUPS}`),
  }),
  detail: ({ report: { void_lookups: count = 0 }, voidTerms, voidQueries }) => {
    const which = count > 0 ? ` (${formatTerms(voidTerms)})` : '';
    const counted = `${formatCount(count, 'void lookup')}${which}; the limit is ${MAX_VOID_LOOKUPS}.`;
    return voidQueries > MAX_VOID_LOOKUPS && count <= MAX_VOID_LOOKUPS
      ? `${counted} ${voidQueries} DNS queries found nothing, and some receivers count queries.`
      : counted;
  },
  evidence: ({ report, voidQueries }) => ({
    void_lookups: report.void_lookups ?? 0,
    limit: MAX_VOID_LOOKUPS,
    void_queries: voidQueries,
  }),
  fix: {
    why: 'Your SPF record refers to {n} names that do not exist. After 2 of them, receivers may stop with an error.',
    do: 'Remove the terms that name a service that you no longer use: {void_terms}.',
  },
  fixes: {
    other_family:
      'Some hosts in your SPF record have no address of the IP version that your mail is sent over, so those lookups find nothing: {terms}. List their addresses instead.',
    nested:
      'Your SPF record includes names that do not exist ({terms}). After 2 of them, receivers may stop with an error.',
    of_sender: {
      why: 'Your SPF record contains terms that generate a new name for each email, and those names often do not exist: {terms}.',
      do: 'Ask whoever set up {terms} whether it is still needed, and remove it if not.',
    },
  },
  ...spfFixes,
  cases: (spf, facts) => [planSpf(spf, facts).relief.measure],
  values: (spf, facts) => ({
    n: spf.report.void_lookups ?? 0,
    void_terms: formatTerms(spf.voidTerms),
    terms: formatTerms(planSpf(spf, facts).relief.terms),
  }),
});

/**
 * Returns whether the corrected record is within the limit without further changes, for example because
 * repeated terms were removed.
 */
function correctingIsEnough(spf: SpfFacts, facts: Facts): boolean {
  const { costs, parts } = planSpf(spf, facts);
  const { lookups = 0 } = spf.report;
  return lookups > MAX_LOOKUPS && costs !== null && costs.lookups + parts.length <= MAX_LOOKUPS;
}

const loopsOf = ({ brokenTerms }: SpfFacts): readonly string[] => [
  ...new Set(brokenTerms.flatMap(({ term, cause }) => (cause === 'loop' ? [term] : []))),
];

/**
 * Returns the SPF facts if the count is known. It is unknown if a part of the record's tree was not answered.
 */
const counted = (facts: Facts, count: 'lookups' | 'void_lookups') => {
  const one = oneRecord(facts);
  return (
    one &&
    thenLookup<SpfFacts, SpfFacts>(one, (spf) =>
      spf.report[count] === undefined
        ? unknown(`dns: SPF includes of ${spf.report.domain}: not all answered`)
        : known(spf),
    )
  );
};
