/** Defines the checks on the DMARC policy for the domain and for its subdomains. */

import { check } from '../check.ts';
import { thenLookup, unknown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
import { lacksOnlyPolicy } from '../names/parked.ts';
import { used } from './checks.ts';
import { evenOut, policyTag, strengthOf, weakerTags } from './correct.ts';
import {
  correctedRecord,
  isInForce,
  raisedRecord,
  recordDomain,
  withNp,
} from './corrected-record.ts';
import type { DmarcFacts } from './facts.ts';
import { dmarcOthers, policyCause, raiseSteps, waitsForRecord } from './fixes.ts';
import { tagsOf } from './parse.ts';

const effectiveOf = ({ report }: DmarcFacts) => report.effective_policy ?? report.policy;

/** Ends of a sentence about what each policy tells receivers. */
const TOLD = {
  none: 'to do nothing about forged mail',
  quarantine: 'to put forged mail into the spam folder',
  reject: 'to refuse forged mail',
};

export const dmarcPolicy = check({
  id: 'dmarc_policy',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'DMARC policy',
  source: 'RFC 9989 §4.7; BIMI needs quarantine/reject',
  about: {
    what: 'The policy (p=) tells receivers what to do with mail that claims to be yours but is not: none (nothing), quarantine (spam folder) or reject.',
    why: 'With p=none, forged mail is delivered. A stricter policy protects your name, and BIMI requires it for showing your logo.',
    how: [
      'Read the DMARC reports until they show that none of your mail fails.',
      'Set p=quarantine, and a few weeks later p=reject.',
    ],
    bad: '"v=DMARC1; p=none; rua=mailto:dmarc@example.com"',
    good: '"v=DMARC1; p=reject; rua=mailto:dmarc@example.com"',
  },
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (dmarc) =>
      dmarc.report.policy !== null && dmarc.report.effective_policy === null
        ? unknown(`dns: whether ${facts.names.fromDomain} exists: no answer`)
        : used(facts),
    ),
  states: ({ warn, suggest, pass }) => ({
    none: warn(3).when(
      'effective policy none (p=none, or lowered to none by t=y)',
      (dmarc) => effectiveOf(dmarc) === 'none',
    ),
    quarantine: suggest.when(
      'effective policy quarantine',
      (dmarc) => effectiveOf(dmarc) === 'quarantine',
    ),
    reject: pass('effective policy reject'),
  }),
  detail: (dmarc) => {
    const policy = effectiveOf(dmarc) ?? 'none';
    const published = policyTag(dmarc.tags, dmarc.applies) ?? policy;
    const isLowered = dmarc.report.testing && published !== policy;
    const value = isLowered ? `${published}, lowered to ${policy} by t=y` : policy;
    return `Your policy (${dmarc.applies}=${value}) tells receivers ${TOLD[policy]}.`;
  },
  evidence: (dmarc) => ({ policy: effectiveOf(dmarc), testing: !!dmarc.report.testing }),
  fix: {
    why: 'Your DMARC policy does not refuse forged mail.',
    do: 'Make it stricter once the reports show that none of your mail fails.',
  },
  fixes: {
    none: 'Your DMARC policy (p=none) tells receivers to do nothing about forged mail.',
    sp: 'The DMARC record of {record_domain} says {policy} for the names below it, so receivers do nothing about forged mail from {from_domain}.',
    np: 'The DMARC record of {record_domain} says {policy} for names that do not exist, so receivers do nothing about forged mail from {from_domain}.',
    parked:
      'The SPF record of {record_domain} says that it does not send mail, and it has no mail host (MX), but its DMARC policy does not tell receivers to refuse all mail in its name.',
    testing:
      'Your DMARC record says {policy}, but t=y makes receivers apply the next weaker policy, so they do nothing about forged mail.',
    quarantine:
      'Your DMARC policy sends forged mail to the spam folder. The next step is to have it refused.',
  },
  cases: (dmarc, facts) => {
    if (lacksOnlyPolicy(facts)) return ['parked'];
    if (effectiveOf(dmarc) !== 'none') return ['quarantine'];
    const { applies } = dmarc;
    // The published policy is stronger than the one that receivers apply because of `t=y`.
    if (dmarc.report.testing && (policyTag(dmarc.tags, applies) ?? 'none') !== 'none')
      return ['testing'];
    return [applies === 'p' || !isInForce(dmarc) ? 'none' : applies];
  },
  values: (dmarc, facts) => ({
    record_domain: recordDomain(dmarc, facts),
    policy: `${dmarc.applies}=${policyTag(dmarc.tags, dmarc.applies) ?? 'none'}`,
  }),
  steps: (dmarc, facts) => raiseSteps(dmarc, facts, raisedRecord(dmarc, facts)),
  others: dmarcOthers,
  waitsFor: waitsForRecord,
  cause: policyCause,
});

/**
 * Returns whether a record may apply to names other than its own. The record of a name below the
 * organizational domain never does (RFC 9989 §4.10.1).
 */
const appliesElsewhere = ({
  report: { record_domain: at, organizational_domain: organization },
}: DmarcFacts): boolean =>
  !at || !organization || at === organization || !isUnder(at, organization);

export const dmarcSubdomainPolicy = check({
  id: 'dmarc_subdomain_policy',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'DMARC subdomain policy',
  source: 'RFC 9989 §4.7 (np from RFC 9091)',
  about: {
    what: 'The tag sp= sets a separate policy for subdomains.',
    why: 'If it is weaker than the main policy, forgers can use a subdomain that does not even exist, such as billing.example.com.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Remove sp= from the DMARC record, or set it to the value of p=.',
    ],
    bad: '"v=DMARC1; p=reject; sp=none; …"',
    good: '"v=DMARC1; p=reject; …"',
  },
  subject: used,
  states: ({ warn, suggest, pass }) => ({
    weaker: warn(2).when(
      'sp= or np= is weaker than p=',
      (dmarc) => appliesElsewhere(dmarc) && weakerTags(dmarc.tags).length > 0,
    ),
    np_missing: suggest.when(
      'np= is absent and sp=, which applies instead, is weaker than reject',
      (dmarc) =>
        appliesElsewhere(dmarc) &&
        strengthOf(policyTag(dmarc.tags, 'sp') ?? 'reject') < strengthOf('reject') &&
        !policyTag(dmarc.tags, 'np'),
    ),
    as_strong: pass('equal or stronger, inherited, or in a record that applies to no other name'),
  }),
  detail: ({ tags }) => {
    const policies = (['p', 'sp', 'np'] as const).map(
      (name) => `${name}=${policyTag(tags, name) ?? '(not set)'}`,
    );
    return `${policies.join(', ')}.`;
  },
  evidence: ({ tags }) => ({
    p: policyTag(tags, 'p') ?? null,
    sp: policyTag(tags, 'sp') ?? null,
    np: policyTag(tags, 'np') ?? null,
  }),
  fix: {
    why: 'Your DMARC policy is weaker for subdomains than for the domain itself, so others can send as any subdomain.',
    do: 'Remove sp= and np= from it once the reports show that none of your mail fails.',
  },
  fixes: {
    add_np:
      'Your DMARC record has no policy for names that do not exist (np=), although none of your mail can come from such names.',
  },
  cases: ({ tags }) => (weakerTags(tags).length > 0 ? [] : ['add_np']),
  steps: (dmarc, facts) =>
    raiseSteps(
      dmarc,
      facts,
      weakerTags(dmarc.tags).length > 0
        ? evenOut(tagsOf(correctedRecord(dmarc, facts)))
        : withNp(dmarc, facts),
    ),
  others: dmarcOthers,
  waitsFor: waitsForRecord,
  cause: policyCause,
});
