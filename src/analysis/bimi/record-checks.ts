/** Defines the checks on the BIMI record and on the DMARC policy that BIMI requires. */

import { dnsStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { check } from '../check.ts';
import { correctedRecord, enforcedRecord, wholeRecord } from '../dmarc/corrected-record.ts';
import { dmarcCause, dmarcOthers, pctCause, policyCause, raiseSteps } from '../dmarc/fixes.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import { isParked } from '../names/parked.ts';
import type { BimiFacts } from './facts.ts';
import { correctBimi } from './parse.ts';

const isAbsent = ({ report }: BimiFacts): boolean => !report.record;

/** Returns the domain at whose `default._bimi` name the BIMI record is, or should be, published. */
export const bimiDomain = ({ report }: BimiFacts, { names }: Facts): string =>
  report.domain ?? names.fromDomain ?? 'your domain';

const isReady = ({ report, organizationalDomainReady }: BimiFacts): boolean =>
  report.dmarc_ready !== false && organizationalDomainReady !== false;

export const bimiRecord = check({
  id: 'bimi_record',
  family: 'bimi',
  title: 'BIMI record',
  source: 'draft-brand-indicators-for-message-identification',
  about: {
    what: 'BIMI shows your logo beside your email. A TXT record in your DNS says where the logo is.',
    why: 'It is optional, and helps readers recognize you. Yahoo shows the logo without a certificate; Gmail and Apple Mail require a mark certificate.',
    how: [
      'Make DMARC strict first (p=quarantine or p=reject).',
      'Save the logo as a square SVG Tiny PS file on an https server.',
      'Publish its URL in a TXT record at default._bimi.example.com, with your own domain instead of example.com.',
    ],
    bad: 'default._bimi.example.com  TXT  (no record)',
    good: 'default._bimi.example.com  TXT  "v=BIMI1; l=https://example.com/logo.svg"',
  },
  // Without a From domain there is no name at which to publish a record, and a domain that sends no mail does
  // not need a logo.
  subject: (facts) =>
    publicFrom(facts) === null || isParked(facts)
      ? undefined
      : thenLookup<BimiFacts, BimiFacts>(facts.bimi, (value) =>
          // If no record was found, the lookup that failed must be that of the record itself.
          value.report.result === 'temperror' && isAbsent(value)
            ? unknown(`dns: TXT default._bimi.${value.report.domain ?? ''}: no answer`)
            : known(value),
        ),
  states: ({ warn, suggest, info, pass }) => ({
    broken: warn(0).when(
      'broken: not v=BIMI1, several records, l= not https',
      ({ recordFault }) => recordFault !== null,
    ),
    absent: suggest.when('none', (bimi) => isAbsent(bimi) && !bimi.declined),
    declined: info.when('declined (l=; a=;)', ({ declined }) => declined),
    usable: pass('usable'),
  }),
  detail: (bimi, facts) => {
    const name = `default._bimi.${bimiDomain(bimi, facts)}`;
    if (bimi.recordFault !== null) return `${name}: ${bimi.recordFault}.`;
    if (bimi.declined) return `The record at ${name} declines BIMI, so no logo is shown.`;
    return isAbsent(bimi) ? `No record at ${name}.` : `The record at ${name} is usable.`;
  },
  evidence: (bimi, facts) => ({
    name: `default._bimi.${bimiDomain(bimi, facts)}`,
    published: !isAbsent(bimi),
    declined: bimi.declined,
    fault: bimi.recordFault,
  }),
  fix: {
    why: '{org_domain} has no BIMI record, so mail programs do not show your logo.',
    do: 'Export your logo as a square SVG Tiny PS file and serve it over https. Then publish a TXT record at default._bimi.{org_domain} that contains v=BIMI1; l= followed by the URL of the file. Yahoo then shows the logo. Gmail and Apple Mail also require a mark certificate (VMC or CMC); put its URL in a=.',
  },
  fixes: {
    dmarc_first: {
      why: '{org_domain} has no BIMI record. Receivers show logos only for domains whose DMARC policy is enforced (p=quarantine or p=reject).',
      do: 'Make your DMARC policy stricter first. Then export your logo as a square SVG Tiny PS file, serve it over https, and publish its URL at default._bimi.{org_domain}. Gmail and Apple Mail also require a mark certificate (VMC or CMC); Yahoo does not.',
    },
    broken: {
      why: 'Receivers cannot read your BIMI record at default._bimi.{bimi_domain}.',
      do: 'Make it v=BIMI1; l= followed by the https URL of your logo, which must be an SVG file in the Tiny PS profile.',
    },
    several: {
      why: 'There are several BIMI records at default._bimi.{bimi_domain}, so receivers use none of them.',
      do: 'Keep one and delete the others.',
    },
  },
  cases: (bimi, { dmarc }) => {
    if (bimi.recordFault !== null) return [isAbsent(bimi) ? 'several' : 'broken'];
    return isReady(bimi) || dmarc.status === 'unknown' ? [] : ['dmarc_first'];
  },
  values: (bimi, facts) => ({ bimi_domain: bimiDomain(bimi, facts) }),
  steps: (bimi, facts) => {
    const { record } = bimi.report;
    if (bimi.recordFault === null || !record) return undefined;
    const corrected = correctBimi(record);
    return corrected === null
      ? undefined
      : [dnsStep(`default._bimi.${bimiDomain(bimi, facts)}`, 'TXT', corrected, [record])];
  },
});

export const bimiDmarcReady = check({
  id: 'bimi_dmarc_ready',
  family: 'bimi',
  gate: 'bimi_record',
  title: 'DMARC policy for BIMI',
  source: 'draft-brand-indicators-for-message-identification; Gmail BIMI guide',
  about: {
    what: 'Logos are shown only for domains whose DMARC policy is enforced (p=quarantine or p=reject).',
    why: 'Otherwise, forged mail could show your logo.',
    how: ['Set the DMARC policy to p=quarantine or p=reject, for all mail.'],
    bad: '"v=DMARC1; p=none"',
    good: '"v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"',
  },
  // If the policy could not be looked up, it may well be enforced, so the result stays unknown.
  subject: ({ bimi, dmarc }) =>
    dmarc.status === 'unknown'
      ? dmarc
      : thenLookup<BimiFacts, BimiFacts>(bimi, (value) =>
          isReady(value) && value.organizationalDomainReady === null
            ? unknown('dns: DMARC policy of the organizational domain: not all answered')
            : known(value),
        ),
  states: ({ warn, pass }) => ({
    not_enforced: warn(0).when(
      'BIMI published while DMARC is p=none, t=y or sp=none, at the From or the organizational domain',
      (bimi) => !isReady(bimi),
    ),
    enforced: pass('enforced at both'),
  }),
  detail: ({ report, organizationalDomainReady }) => {
    const word = (ready: boolean) => (ready ? 'enforced' : 'not enforced');
    return `DMARC is ${word(report.dmarc_ready !== false)} at the From domain and ${word(organizationalDomainReady !== false)} at the organizational domain.`;
  },
  evidence: ({ report, organizationalDomainReady }) => ({
    from_domain_enforced: report.dmarc_ready !== false,
    organizational_domain_enforced: organizationalDomainReady,
  }),
  fix: {
    why: 'Receivers show your logo only when your DMARC policy is enforced: p=quarantine or p=reject for all mail.',
    do: 'Make your DMARC policy stricter once the DMARC reports show that none of your mail fails.',
  },
  fixes: {
    organization: {
      why: 'Receivers show your logo only when the DMARC policy of {org_domain} is enforced too.',
      do: 'Set the policy at _dmarc.{org_domain} to p=quarantine or p=reject once its reports show that none of your mail fails, and leave out sp=none, t=y and pct=.',
    },
  },
  cases: ({ report }) => (report.dmarc_ready === false ? [] : ['organization']),
  steps: ({ report }, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    if (!dmarc || report.dmarc_ready !== false) return undefined;
    return raiseSteps(dmarc, facts, enforcedRecord(dmarc, facts));
  },
  others: ({ report }, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    return dmarc && report.dmarc_ready === false ? dmarcOthers(dmarc, facts) : undefined;
  },
  cause: ({ report }, facts) => {
    const dmarc = ifKnown(facts.dmarc);
    if (!dmarc) return 'bimi_dmarc_ready';
    const enforced = report.dmarc_ready === false ? enforcedRecord(dmarc, facts) : null;
    if (enforced === correctedRecord(dmarc, facts)) return dmarcCause(dmarc, facts);
    return enforced === wholeRecord(dmarc, facts)
      ? pctCause(dmarc, facts)
      : policyCause(dmarc, facts);
  },
});
