import type { DomainReport } from '../domain/report/domain-report.ts';
import { suggestionsOf, topFixes } from './advice/top-fixes.ts';
import { bimiDmarcReady, bimiRecord } from './bimi/record-checks.ts';
import type { Check, Verdict } from './check.ts';
import { checks } from './checks.ts';
import type { DkimFact } from './dkim/facts.ts';
import { dkimKeySize } from './dkim/key-checks.ts';
import { dkimKeyRecord, dkimKeyTesting } from './dkim/key-record-checks.ts';
import { dkimValid } from './dkim/valid-check.ts';
import { dmarcRecord, dmarcRecordValid } from './dmarc/checks.ts';
import { dmarcInherited, dmarcLegacyTags } from './dmarc/legacy-tags-checks.ts';
import { dmarcPolicy, dmarcSubdomainPolicy } from './dmarc/policy-checks.ts';
import { dmarcRua } from './dmarc/rua-checks.ts';
import { dane } from './doors/dane-check.ts';
import { dnssec } from './doors/dnssec-check.ts';
import { mxIpv6, nsIpv6 } from './doors/ipv6-checks.ts';
import { mxCertificate, mxStarttls } from './doors/starttls-checks.ts';
import type { Facts } from './facts.ts';
import { judge } from './judge.ts';
import { known } from './lookup-result.ts';
import { fromDomainMx } from './reputation/from-domain-mx-check.ts';
import { CATALOGUE_VERSION } from './scale.ts';
import { spfAllQualifier } from './spf/all-qualifier-check.ts';
import { spfMultipleRecords, spfRecord } from './spf/checks.ts';
import { spfLookupLimit, spfVoidLookups } from './spf/lookup-limit-checks.ts';
import { spfSyntax } from './spf/syntax-checks.ts';
import { mtaSts, tlsRpt } from './transport/checks.ts';

/** What a domain shows of itself before it sends a mail. */
const ofDomain: readonly Check[] = [
  ...[spfRecord, spfMultipleRecords, spfLookupLimit, spfVoidLookups, spfAllQualifier, spfSyntax],
  ...[dmarcRecord, dmarcRecordValid, dmarcPolicy, dmarcSubdomainPolicy],
  ...[dmarcRua, dmarcLegacyTags, dmarcInherited],
  ...[bimiRecord, bimiDmarcReady, fromDomainMx],
  ...[mtaSts, tlsRpt, dnssec, dane, mxIpv6, nsIpv6, mxStarttls, mxCertificate],
];

/** A selector shows its key; without one no signature can ever be valid. */
function ofSelector({ report: { reason, key } }: DkimFact): readonly Check[] {
  if (reason === 'no_key') return [dkimValid];
  // Whether an Ed25519 signature stands beside one by RSA only a mail shows.
  const size = key?.type === 'ed25519' ? [] : [dkimKeySize];
  return [...size, dkimKeyTesting, dkimKeyRecord];
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
