/** Defines the checks on the report addresses, the obsolete tags and the inheritance of a DMARC record. */

import { askStep, type Step } from '../advice/actions.ts';
import { check } from '../check.ts';
import { formatFound } from '../format.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { isParked, lacksOnlyPolicy } from '../names/parked.ts';
import { parseReportAddress } from '../syntax/report-address.ts';
import { dmarcFixes, used } from './checks.ts';
import { isDeliverable, pctOf, type RuaAddress, tagOf } from './correct.ts';
import { isRefusedByFreemail, recordDomain, wholeRecord } from './corrected-record.ts';
import type { DmarcFacts } from './facts.ts';
import {
  dmarcCause,
  dmarcOthers,
  pctCause,
  raiseSteps,
  recordSteps,
  waitsForRecord,
} from './fixes.ts';

/** Returns how a report shows an address: only by its domain, without the local part. */
function nameOf({ uri }: RuaAddress): string {
  const { host, scheme } = parseReportAddress(uri);
  return host ?? (scheme === 'mailto' ? 'an address without a domain' : uri);
}

function formatRuaAddress(one: RuaAddress): string {
  const { external, authorized, has_mx } = one;
  const { host, scheme } = parseReportAddress(one.uri);
  if (scheme !== 'mailto') return 'not a mailto: address, so receivers cannot use it';
  if (host === null) return 'receivers cannot use it';
  if (has_mx === false) return 'accepts no mail (it has neither an MX record nor an address)';
  if (external && authorized === false) return 'has not agreed to receive these reports';
  return isDeliverable(one) ? 'accepts reports' : 'not known';
}

const addressesOf = ({ report }: DmarcFacts): readonly RuaAddress[] => report.rua ?? [];

export const dmarcRua = check({
  id: 'dmarc_rua',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'DMARC aggregate reports',
  source: 'RFC 9990',
  about: {
    what: 'The tag rua= names the address that receives a daily summary of who sends as you.',
    why: 'Without the reports, you cannot know whether a stricter policy would affect your own mail.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Add rua=mailto: followed by the address of a mailbox that somebody reads, or of a service that shows the reports as charts.',
    ],
    bad: '"v=DMARC1; p=none"',
    good: '"v=DMARC1; p=none; rua=mailto:dmarc@example.com"',
  },
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (value) => {
      if (value.ignoredBecause !== null || isParked(facts) || lacksOnlyPolicy(facts))
        return undefined;
      const states = value.report.rua?.map(isDeliverable) ?? [undefined];
      return states.includes(undefined) && !states.includes(true)
        ? unknown(`dns: rua= of _dmarc.${value.report.record_domain ?? ''}: not all answered`)
        : known(value);
    }),
  states: ({ warn, pass }) => ({
    undeliverable: warn(2).when(
      'no rua=, or not deliverable (not mailto:, no MX, no external authorization)',
      (dmarc) => !addressesOf(dmarc).some(isDeliverable),
    ),
    deliverable: pass('at least one deliverable rua='),
  }),
  detail: (dmarc) => {
    const all = addressesOf(dmarc);
    if (all.length === 0) return 'The record has no rua=.';
    return `${all.map((one) => `${nameOf(one)}: ${formatRuaAddress(one)}`).join('; ')}.`;
  },
  evidence: (dmarc) => ({
    addresses: addressesOf(dmarc).map((one) => `${nameOf(one)}: ${formatRuaAddress(one)}`),
  }),
  fix: {
    why: 'Your DMARC record contains no address that can receive reports, so you cannot see who sends as you.',
    do: 'Add rua= to the record, with an address that accepts mail.',
  },
  fixes: {
    authorize: {
      why: 'The owner of {rua_domain} has not agreed to receive your reports, so receivers do not send them.',
      do: 'If {rua_domain} belongs to a service that you use, ask the service to publish in its DNS that it accepts your reports.',
    },
    no_mail: {
      why: 'Your DMARC reports go to {rua_domain}, which accepts no mail, so you do not get them.',
      do: 'In rua=, use an address that accepts mail.',
    },
  },
  cases: (dmarc) => {
    if (refused(dmarc)) return ['authorize'];
    return mailless(dmarc) ? ['no_mail'] : [];
  },
  values: (dmarc) => {
    const one = refused(dmarc) ?? mailless(dmarc);
    return { rua_domain: one ? nameOf(one) : '' };
  },
  steps: (dmarc, facts) => {
    const steps = recordSteps(dmarc, facts);
    const one = refused(dmarc);
    if (one && !isRefusedByFreemail(one))
      return [...steps, askToAuthorize(recordDomain(dmarc, facts), nameOf(one))];
    const none = one ?? mailless(dmarc);
    return steps.length > 0 || !none ? steps : [askForMailbox(none)];
  },
  others: dmarcOthers,
  cause: dmarcCause,
});

/** Returns the step in which the external domain publishes that it accepts the reports (RFC 9990 §4). */
const askToAuthorize = (domain: string, other: string): Step =>
  askStep(
    `Or keep sending the reports to ${other}, if it is your domain or belongs to a service that you use. Whoever runs the DNS of ${other} then has to publish a TXT record there, named ${domain}._report._dmarc.${other}, with the text: v=DMARC1`,
    'platform',
  );

function askForMailbox(one: RuaAddress): Step {
  const host = nameOf(one);
  return askStep(
    isRefusedByFreemail(one)
      ? `Which mailbox can receive the reports? ${host} does not accept reports about other domains. In rua=, give a mailbox at another of your domains, or the address of a service that shows the reports as charts.`
      : `Which mailbox can receive the reports? ${host} accepts no mail: it has neither a usable MX record nor an address. In rua=, give a mailbox at another of your domains, or publish an MX record at ${host} that names the server that receives its mail.`,
  );
}

/** Returns the first report address at a domain that does not receive mail. */
const mailless = (dmarc: DmarcFacts): RuaAddress | undefined =>
  addressesOf(dmarc).find(
    ({ has_mx, uri }) => has_mx === false && parseReportAddress(uri).host !== null,
  );

/**
 * Returns the first report address at an external domain that has not authorized the reports but could
 * receive them.
 */
const refused = (dmarc: DmarcFacts): RuaAddress | undefined =>
  addressesOf(dmarc).find(
    ({ external, authorized, has_mx }) => external && authorized === false && has_mx !== false,
  );

/** Matches the size limit after a report address, which RFC 9990 removed. */
const SIZE_SUFFIX = /![0-9]+[kmgt]?\s*(?:,|$)/i;

const legacyOf = ({ tags }: DmarcFacts): readonly string[] => [
  ...['pct', 'rf', 'ri'].flatMap((name) => {
    const value = tagOf(tags, name);
    return value === undefined ? [] : [`${name}=${value}`];
  }),
  ...['rua', 'ruf']
    .filter((name) => SIZE_SUFFIX.test(tagOf(tags, name) ?? ''))
    .map((name) => `!size in ${name}=`),
];

export const dmarcLegacyTags = check({
  id: 'dmarc_legacy_tags',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'Obsolete DMARC tags',
  source: 'RFC 9989 §C.5.2',
  about: {
    what: 'Some DMARC tags are obsolete, such as pct=, rf= and ri=.',
    why: 'Receivers that follow the new standard ignore them and others do not, so your policy differs from one receiver to the next.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Remove the tags that the report names.',
    ],
    bad: '"v=DMARC1; p=reject; pct=50; rf=afrf"',
    good: '"v=DMARC1; p=reject"',
  },
  subject: used,
  states: ({ warn, suggest, pass }) => ({
    pct_below_100: warn(1).when(
      'pct= below 100 with a policy (older receivers apply it, RFC 9989 ignores it)',
      ({ tags }) => pctOf(tags) !== null,
    ),
    obsolete: suggest.when(
      'pct= that limits nothing, rf, ri or a !size suffix',
      (dmarc) => legacyOf(dmarc).length > 0,
    ),
    current: pass('none'),
  }),
  detail: (dmarc) => formatFound(legacyOf(dmarc)),
  evidence: (dmarc) => ({ tags: legacyOf(dmarc) }),
  fix: {
    why: 'Your DMARC record contains obsolete tags, which many receivers ignore.',
    do: 'Leave them out.',
  },
  fixes: {
    pct: 'Most receivers ignore pct={pct} and apply your policy to all mail already. Some still read it and apply the policy to {pct}% of the failing mail; without pct=, they apply it to all of that mail.',
  },
  cases: ({ tags }) => (pctOf(tags) === null ? [] : ['pct']),
  values: ({ tags }) => ({ pct: pctOf(tags) ?? 100 }),
  ...dmarcFixes,
  // Without `pct=`, receivers refuse more mail, so the tag is removed only once the sender's mail is aligned.
  steps: (dmarc, facts) =>
    pctOf(dmarc.tags) === null
      ? recordSteps(dmarc, facts)
      : raiseSteps(dmarc, facts, wholeRecord(dmarc, facts)),
  cause: (dmarc, facts) =>
    pctOf(dmarc.tags) === null ? dmarcCause(dmarc, facts) : pctCause(dmarc, facts),
  waitsFor: (dmarc, facts) =>
    pctOf(dmarc.tags) === null ? undefined : waitsForRecord(dmarc, facts),
});

export const dmarcInherited = check({
  id: 'dmarc_inherited',
  family: 'dmarc',
  gate: 'dmarc_record',
  title: 'Where the DMARC policy comes from',
  source: 'RFC 9989 §4.10',
  about: {
    what: 'A subdomain without its own DMARC record inherits the policy of the domain above it.',
    why: 'That is usually right. It matters if a different team or platform uses the subdomain.',
    how: [
      'You do not have to do anything. Publish a record at the subdomain only if it needs a different policy.',
    ],
    bad: 'news.example.com sends, with a policy at example.com that suits only the main domain',
    good: '_dmarc.news.example.com  TXT  "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"',
  },
  subject: used,
  states: ({ info, pass }) => ({
    inherited: info.when(
      'policy comes from the organizational domain',
      ({ inherited }) => inherited,
    ),
    own: pass('record at the From domain'),
  }),
  detail: (dmarc, facts) => `The policy comes from _dmarc.${recordDomain(dmarc, facts)}.`,
  evidence: ({ inherited, ...dmarc }, facts) => ({
    inherited,
    record_domain: recordDomain({ inherited, ...dmarc }, facts),
  }),
  fix: {
    why: 'The policy for {from_domain} comes from the DMARC record of its organizational domain.',
    do: 'There is nothing to do, unless {from_domain} needs its own policy.',
  },
});
