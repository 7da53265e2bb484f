/**
 * Defines the checks on whether a domain has a DMARC record, and whether that record is valid, with the parts
 * that other checks on the record share.
 */

import { publicFrom } from '../advice/fill.ts';
import { aliasOf } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { keepIf } from '../lookup-result.ts';
import { lacksOnlyPolicy } from '../names/parked.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import { policyTag } from './correct.ts';
import { isInForce, recordDomain } from './corrected-record.ts';
import { isFalseSuffix } from './evaluate.ts';
import { firstRecordSteps, listedOrganization } from './first-record.ts';
import { dmarcCause, dmarcOthers, recordSteps, waitsForFrom } from './fixes.ts';

/** The parts of a definition that all checks with fixes of the DMARC record share. */
export const dmarcFixes = { steps: recordSteps, others: dmarcOthers, cause: dmarcCause };

export const dmarcRecord = check({
  id: 'dmarc_record',
  family: 'dmarc',
  title: 'DMARC record',
  source: 'RFC 9989 §4.7, §4.10; Gmail/Yahoo/Microsoft',
  about: {
    what: 'DMARC is a TXT record at the name _dmarc under your domain. It tells receivers what to do with mail that fails, and where to send reports.',
    why: 'Gmail, Yahoo and Microsoft require it of bulk senders. Without it, anyone can send as you and you never find out.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Add a TXT record with the name _dmarc that changes nothing yet (p=none), with one of your addresses for the reports.',
      'Read the reports for a few weeks, then make the policy stricter.',
    ],
    bad: '_dmarc.example.com  TXT  (no record)',
    good: '_dmarc.example.com  TXT  "v=DMARC1; p=none; rua=mailto:dmarc@example.com"',
  },
  // Without a From domain, there is no name at which a record could be published.
  subject: ({ dmarc, names }) => (names.fromDomain === null ? undefined : dmarc),
  states: ({ fail, pass }) => ({
    absent: fail(14, REFUSED_IN_PART).when(
      'no TXT record that is, or was meant as, a DMARC record at any name in the tree walk',
      ({ anyRecord }) => !anyRecord,
    ),
    published: pass('at least one found'),
  }),
  detail: (dmarc, facts) => {
    if (dmarc.anyRecord)
      return `Found at _dmarc.${recordDomain(dmarc, facts)}${dmarc.report.record ? '' : ', but receivers do not use it'}.`;
    const names = dmarc.report.tree_walk?.map(({ name }) => `_dmarc.${name}`).join(', ');
    const elsewhere = dmarc.elsewhere ? ` One is at ${dmarc.elsewhere.name}.` : '';
    return `None at ${names || 'any name'}.${elsewhere}`;
  },
  evidence: (dmarc, facts) => ({
    found_at: dmarc.anyRecord ? `_dmarc.${recordDomain(dmarc, facts)}` : null,
    used: !!dmarc.report.record,
    asked: dmarc.report.tree_walk?.map(({ name }) => `_dmarc.${name}`) ?? [],
  }),
  fix: '{organization} has no DMARC record, and Gmail, Yahoo and Microsoft require one of bulk senders. Start with a record that changes nothing; its reports show within a day who sends as you.',
  fixes: {
    parked:
      '{organization} has no DMARC record. Its SPF record says that it does not send mail, and it has no mail host (MX), so receivers can refuse all mail in its name.',
    no_from: {
      why: 'The From header has no usable domain, so there is no DMARC record to look for.',
      do: 'Fix the From header first.',
    },
    name_in_text:
      'The name {elsewhere} was entered as the text of a TXT record at _dmarc.{organization}, so receivers find no DMARC record. It should be an alias (CNAME).',
    alias_misplaced:
      'The alias (CNAME) that leads to your DMARC record is at {elsewhere}, where receivers do not look, so the record never took effect.',
    misplaced:
      'Your DMARC record is at {elsewhere}, where receivers do not look, so it never took effect. Publish it at _dmarc.{organization}, and start with p=none: the reports show within a day who sends as you.',
  },
  cases: (dmarc, facts) => {
    if (publicFrom(facts) === null) return ['no_from'];
    if (dmarc.elsewhere?.asText !== undefined) return ['name_in_text'];
    if (dmarc.elsewhere?.alias !== undefined) return ['alias_misplaced'];
    if (dmarc.elsewhere) return ['misplaced'];
    return lacksOnlyPolicy(facts) ? ['parked'] : [];
  },
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => ({
    organization: listedOrganization(dmarc, facts),
    elsewhere: dmarc.elsewhere?.name ?? '',
  }),
  steps: (dmarc, facts) =>
    publicFrom(facts) === null ? undefined : firstRecordSteps(dmarc, facts),
  cause: (dmarc, facts) =>
    publicFrom(facts) === null ? 'from_header' : `dmarc:${listedOrganization(dmarc, facts)}`,
});

export const dmarcRecordValid = check({
  id: 'dmarc_record_valid',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'DMARC record syntax',
  source: 'RFC 9989 §4.7, §4.10',
  about: {
    what: 'A DMARC record has a fixed form: v=DMARC1 first, then tags with values, separated by semicolons.',
    why: 'Receivers ignore what they cannot read, and some ignore the whole record.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Correct the part that the report names. Only one DMARC record is allowed at a name.',
    ],
    bad: '"v=DMARC1 p=reject, rua=dmarc@example.com"',
    good: '"v=DMARC1; p=reject; rua=mailto:dmarc@example.com"',
  },
  subject: ({ dmarc }) => dmarc,
  states: ({ fail, warn, pass }) => ({
    ignored: fail(14, REFUSED_IN_PART).when(
      'the record is ignored: several at one name, no exact v=DMARC1; at the beginning, or an unusable p= without rua=',
      ({ ignoredBecause }) => ignoredBecause !== null,
    ),
    faulty: warn(2).when(
      'an invalid or missing p= together with rua= (read as p=none), unknown or duplicate tags, p= not second (which older receivers expect), psd=y at a domain that is not a public suffix, an address that is not a URI, unrelated TXT records at the same name',
      ({ lint }) => lint.length > 0,
    ),
    clean: pass('no errors'),
  }),
  detail: ({ ignoredBecause, lint }) =>
    ignoredBecause !== null
      ? `Receivers ignore the record: ${ignoredBecause}.`
      : lint.length > 0
        ? `${lint.join('; ')}.`
        : 'No errors.',
  evidence: ({ ignoredBecause, lint }) => ({ ignored_because: ignoredBecause, faults: lint }),
  fix: {
    why: 'Your DMARC record contains parts that receivers interpret differently.',
    do: 'Write each tag once.',
  },
  fixes: {
    borrowed:
      '_dmarc.{record_domain} points to {target} (by CNAME or wildcard), so receivers find all TXT records there along with your DMARC record. They skip the others, but a separate record is safer.',
    ignored: 'Receivers ignore your DMARC record: {fault}.',
    never_in_force:
      'Receivers ignore your DMARC record: {fault}. So p={policy} never took effect. Start with p=none, and return to p={policy} when the reports show that none of your mail fails.',
    false_suffix:
      'Your DMARC record contains psd=y, which says that {record_domain} is a public suffix such as co.uk.',
    lowered:
      'Receivers cannot use part of your DMARC record, so they act as if it said p=none. Start with that, and return to p={policy} when the reports show that none of your mail fails.',
  },
  cases: (dmarc, facts) => {
    if (dmarc.ignoredBecause === null) {
      const wrote = policyTag(dmarc.tags, 'p') ?? 'none';
      if (!isInForce(dmarc) && wrote !== 'none') return ['lowered'];
      if (isFalseSuffix(recordDomain(dmarc, facts), dmarc.report.psd)) return ['false_suffix'];
      const isAlone = (dmarc.strays ?? []).length === 0;
      return !isAlone && isBorrowed(`_dmarc.${recordDomain(dmarc, facts)}`, facts)
        ? ['borrowed']
        : [];
    }
    const wrote = policyTag(dmarc.tags, 'p');
    return [wrote === undefined || wrote === 'none' ? 'ignored' : 'never_in_force'];
  },
  values: (dmarc, facts) => {
    const domain = recordDomain(dmarc, facts);
    return {
      fault: dmarc.ignoredBecause ?? '',
      policy: policyTag(dmarc.tags, 'p') ?? 'none',
      record_domain: domain,
      target: aliasOf(`_dmarc.${domain}`, facts) ?? `*.${domain}`,
    };
  },
  ...dmarcFixes,
});

/** Returns the DMARC facts if receivers use the record. A record that they ignore has no policy to judge. */
export const used = ({ dmarc }: Facts) =>
  keepIf(dmarc, ({ ignoredBecause, report }) => ignoredBecause === null && report.policy !== null);
