/** The check of whether SPF passes for the server that sent the email. */

import { nameSteps } from '../advice/address.ts';
import { handedOn } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { familyCause } from '../names/mail-host.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import type { SpfFacts } from './facts.ts';
import {
  askAboutSender,
  brokenOf,
  hostToPublish,
  spfCause,
  spfChanges,
  spfOthers,
  spfSteps,
} from './fixes.ts';
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from './parse.ts';
import { planSpf } from './plan.ts';
import { spfRecordsOf } from './published.ts';
import { spfFixes } from './record-checks.ts';

/** Returns whether another SPF check names the cause of a `permerror`. */
const isExplained = (spf: SpfFacts): boolean =>
  spfRecordsOf(spf).length > 1 ||
  (spf.report.lookups ?? 0) > MAX_LOOKUPS ||
  (spf.report.void_lookups ?? 0) > MAX_VOID_LOOKUPS ||
  (spf.brokenTerms.length === 0 && spf.syntaxFaults.some(({ severity }) => severity === 'fail'));

/**
 * Returns the term that matches the sender without letting it pass. Null if there is none, or if the result
 * is a `permerror`.
 */
const namedTerm = ({ report: { result, matched_term } }: SpfFacts): string | null =>
  result !== 'permerror' && matched_term && /^[-~?](?!all$)/i.test(matched_term)
    ? matched_term
    : null;

/**
 * Returns whether the fix only asks about the sender. If the corrected record still excludes this sender, it
 * corrects other faults, but not this one, unless this one is that receivers cannot evaluate the record.
 */
const asksOnly = (spf: SpfFacts, facts: Facts): boolean =>
  spf.report.result !== 'permerror' && planSpf(spf, facts).doubt !== null;

/**
 * Does not apply if another check reports the cause of the `permerror`, because there is no result to judge.
 */
export const spfResult = check({
  id: 'spf_result',
  family: 'spf',
  gate: 'spf_record',
  title: 'SPF result',
  source: 'RFC 7208 §2.6; Microsoft 550 5.7.515',
  about: {
    what: 'SPF passes if the address that the email came from is in the SPF record of the domain that bounces go to.',
    why: "A server that is not on the list looks like a forger's. If DKIM fails as well, Gmail and Microsoft refuse the email.",
    how: [
      'Find out which of your systems has the address that the report names.',
      'If it is yours, add it to the SPF record: with ip4: or ip6:, or with the include: of the platform that it belongs to.',
      'If it is not yours, somebody else sends as you: do not add it.',
    ],
    bad: 'Mail from 198.51.100.7\n"v=spf1 ip4:192.0.2.25 ~all"   (result: softfail)',
    good: 'Mail from 198.51.100.7\n"v=spf1 ip4:192.0.2.25 ip4:198.51.100.7 ~all"   (result: pass)',
    platforms: 'spf',
  },
  subject: ({ spf }) =>
    thenLookup<SpfFacts, SpfFacts>(spf, (value) => {
      const { result, domain } = value.report;
      if (result === 'temperror') return unknown(`dns: SPF of ${domain}: temperror`);
      return result === 'permerror' && isExplained(value) ? undefined : known(value);
    }),
  states: ({ fail, warn, pass }) => ({
    fail: fail(12, REFUSED_IN_PART).when(
      'result fail, or permerror that no other SPF check explains',
      ({ report: { result } }) => result === 'fail' || result === 'permerror',
    ),
    softfail: warn(12, REFUSED_IN_PART).when(
      'softfail',
      ({ report: { result } }) => result === 'softfail',
    ),
    neutral: warn(12, REFUSED_IN_PART).when(
      'neutral',
      ({ report: { result } }) => result === 'neutral' || result === 'none',
    ),
    pass: pass('pass'),
  }),
  detail: (spf, { names: { ip } }) => {
    const { result, domain, matched_term, error } = spf.report;
    const cause = [
      ...(matched_term ? [`by "${matched_term}"`] : []),
      ...(error ? [error] : []),
      ...brokenOf(spf).map(({ term, why }) => `${term} is broken: ${why}`),
    ];
    return `${[`${result} for ${ip ?? 'the sending IP'} at ${domain}`, ...cause].join(', ')}.`;
  },
  evidence: ({ report: { result, domain, matched_term, error } }, { names: { ip } }) => ({
    result,
    ip,
    domain,
    matched_term: matched_term ?? null,
    error: error ?? null,
  }),
  fix: {
    why: 'Your SPF record does not list {ip}, the address this email came from.',
    do: 'Find out which address your server sends from, and add it to the record.',
  },
  fixes: {
    permerror: {
      why: 'Receivers cannot evaluate your SPF record: {why}.',
      do: 'Remove the services that you no longer use from the record.',
    },
    of_sender: {
      why: '{terms} generates a new name for each email, and the name for this email has no usable record.',
      do: 'Ask whoever set up {terms} to publish a record at every name it generates.',
    },
    host: 'Your SPF record allows {host} by its name, but {ip}, the address this email came from, is not published at that name.',
    doubt: 'Your SPF record does not list {ip}, the address this email came from.',
    excluded:
      'Your SPF record lists {ip}, the address this email came from, in {terms}, but does not let it pass.',
  },
  ...spfFixes,
  others: (spf, facts) => handedOn(facts, 'sent it from its own server') ?? spfOthers(spf, facts),
  cases: (spf, facts) => {
    if (hostToPublish(spf, facts) !== undefined) return ['host'];
    if (asksOnly(spf, facts)) return [namedTerm(spf) === null ? 'doubt' : 'excluded'];
    if (brokenOf(spf).some(({ isOfSender }) => isOfSender)) return ['of_sender'];
    if (namedTerm(spf) !== null) return ['excluded'];
    return spf.report.result === 'permerror' ? ['permerror'] : [];
  },
  steps: (spf, facts) => {
    const host = hostToPublish(spf, facts);
    if (host !== undefined) return nameSteps(host, facts);
    return asksOnly(spf, facts) ? askAboutSender(spf, facts) : spfSteps(spf, facts);
  },
  more: (spf, facts) =>
    !asksOnly(spf, facts) && hostToPublish(spf, facts) === undefined ? spfChanges(spf, facts) : '',
  cause: (spf, facts) => familyCause(hostToPublish(spf, facts) ?? null, facts) ?? spfCause(spf),
  values: (spf, facts) => ({
    ip: facts.names.ip ?? 'your IP address',
    host: hostToPublish(spf, facts) ?? '',
    terms: brokenOf(spf).find(({ isOfSender }) => isOfSender)?.term ?? namedTerm(spf) ?? '',
    why:
      formatList(brokenOf(spf).map(({ term, why }) => `${term}: ${why}`)) ||
      (spf.report.error ?? 'it contains an error'),
  }),
});
