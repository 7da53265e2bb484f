/**
 * Builds the report on a domain, and on the DKIM keys at the selectors that the caller named, with the checks
 * that need no email.
 */

import type { DomainReport } from '../domain/report/domain-report.ts';
import { suggestionsOf, topFixes } from './advice/top-fixes.ts';
import type { Check, Verdict } from './check.ts';
import { checks, findCheck } from './checks.ts';
import type { DkimFact } from './dkim/facts.ts';
import type { Facts } from './facts.ts';
import { judge } from './judge.ts';
import { known } from './lookup-result.ts';
import { CATALOGUE_VERSION } from './scale.ts';

const checksNamed = (ids: string): readonly Check[] =>
  ids.split(' ').flatMap((id) => findCheck(id) ?? []);

/** The checks that judge only the domain and need no email. */
const ofDomain = checksNamed(
  'spf_record spf_multiple_records spf_lookup_limit spf_void_lookups spf_all_qualifier ' +
    'spf_syntax dmarc_record dmarc_record_valid dmarc_policy dmarc_subdomain_policy ' +
    'dmarc_rua dmarc_legacy_tags dmarc_inherited bimi_record bimi_dmarc_ready from_domain_mx ' +
    'mta_sts tls_rpt dnssec dane mx_ipv6 ns_ipv6 mx_starttls mx_certificate',
);

/**
 * Returns the checks that need only the key at a DKIM selector. If there is no key, no signature with that
 * selector can ever be valid.
 */
function ofSelector({ report: { reason, key } }: DkimFact): readonly Check[] {
  if (reason === 'no_key') return checksNamed('dkim_valid');
  // An Ed25519 key is not judged alone, because only an email shows whether an RSA signature accompanies it.
  const size = key?.type === 'ed25519' ? '' : 'dkim_key_size ';
  return checksNamed(`${size}dkim_key_testing dkim_key_record`);
}

/** Facts about a domain, and about the key at each DKIM selector that the caller named. */
export interface DomainFacts {
  readonly facts: Facts;
  readonly selectors: readonly DkimFact[];
}

/** Builds the report on a domain with the same checks as for an email. The function has no side effects. */
export function makeDomainReport({ facts, selectors }: DomainFacts): DomainReport {
  const verdicts = inOrder([
    ...judge(facts, ofDomain),
    ...selectors.flatMap((one) =>
      judge({ ...facts, dkim: known({ signatures: [one], total: 1 }) }, ofSelector(one)),
    ),
  ]);
  const asked = new Set([...ofDomain, ...selectors.flatMap(ofSelector)]);
  return {
    domain: facts.names.fromDomain ?? '',
    checked_at: facts.receivedAt,
    catalogue_version: CATALOGUE_VERSION,
    top_fixes: topFixes(verdicts),
    suggestions: suggestionsOf(verdicts),
    findings: verdicts.map(({ finding }) => finding),
    needs_mail: checks.filter((check) => !asked.has(check)).map(({ id }) => id),
  };
}

const WORST = ['fail', 'warn', 'info', 'pass'];

/**
 * Sorts the verdicts as in the catalogue, with one verdict per check. If a check ran for several selectors,
 * the worst verdict is kept. An unknown result takes precedence over a pass.
 */
const inOrder = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  checks.flatMap((check) =>
    verdicts
      .filter((one) => one.check === check)
      .toSorted((a, b) => WORST.indexOf(a.finding.severity) - WORST.indexOf(b.finding.severity))
      .slice(0, 1),
  );
