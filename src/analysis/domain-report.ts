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

/** What a domain shows of itself before it sends a mail. */
const ofDomain = checksNamed(
  'spf_record spf_multiple_records spf_lookup_limit spf_void_lookups spf_all_qualifier ' +
    'spf_syntax dmarc_record dmarc_record_valid dmarc_policy dmarc_subdomain_policy ' +
    'dmarc_rua dmarc_legacy_tags dmarc_inherited bimi_record bimi_dmarc_ready from_domain_mx ' +
    'mta_sts tls_rpt dnssec dane mx_ipv6 ns_ipv6 mx_starttls mx_certificate',
);

/** A selector shows its key; without one no signature can ever be valid. */
function ofSelector({ report: { reason, key } }: DkimFact): readonly Check[] {
  if (reason === 'no_key') return checksNamed('dkim_valid');
  // Whether an Ed25519 signature stands beside one by RSA only a mail shows.
  const size = key?.type === 'ed25519' ? '' : 'dkim_key_size ';
  return checksNamed(`${size}dkim_key_testing dkim_key_record`);
}

/** What is known of a domain, and the key at each selector that was named. */
export interface DomainFacts {
  readonly facts: Facts;
  readonly selectors: readonly DkimFact[];
}

/** By the same checks as a mail. Pure. */
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

/** In the order of the catalogue; of several selectors the worst. What is not known comes before a pass. */
const inOrder = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  checks.flatMap((check) =>
    verdicts
      .filter((one) => one.check === check)
      .toSorted((a, b) => WORST.indexOf(a.finding.severity) - WORST.indexOf(b.finding.severity))
      .slice(0, 1),
  );
