/**
 * The checks of whether there is exactly one SPF record, with the parts that all fixes of that record share.
 */

import { isSameAddress } from '../addresses.ts';
import { serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { ifKnown } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';
import { heloName, isPublicDomain, isPublicHost } from '../names/host-name.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import type { SpfFacts } from './facts.ts';
import { askAboutSender, heloSteps, spfCause, spfChanges, spfOthers, spfSteps } from './fixes.ts';
import { greetsWrongly, ownHeloSteps } from './helo-name.ts';
import { planSpf } from './plan.ts';
import { spfRecordsOf } from './published.ts';

/** The parts that all fixes of the envelope domain's SPF record share. */
export const spfFixes = { steps: spfSteps, others: spfOthers, cause: spfCause, more: spfChanges };

const SET_HELO =
  'Set the HELO name of your server to one of your host names that resolves to its address.';

/** Returns whether SPF of a bounce needs another HELO name, instead of a record at the present one. */
const needsOtherHelo = (spf: SpfFacts, facts: Facts): boolean =>
  spf.report.scope === 'helo' && (hasNoName(spf) || (isUnlisted(spf) && greetsWrongly(facts)));

const hasNoName = ({ report: { scope, domain } }: SpfFacts): boolean =>
  scope === 'helo' ? !isPublicHost(domain) : !isPublicDomain(domain);

/** Returns whether a name has neither an SPF record nor a text that was intended as one. */
const isUnlisted = (spf: SpfFacts): boolean =>
  spfRecordsOf(spf).length === 0 && spf.lookalike === undefined && spf.syntaxFaults.length === 0;

/**
 * Returns whether SPF was checked for the HELO name of a bounce, and the name has no text that was intended
 * as a record.
 */
export const isUnlistedHelo = (spf: SpfFacts): boolean =>
  spf.report.scope === 'helo' && !hasNoName(spf) && isUnlisted(spf);

/**
 * Returns whether SPF was checked for the name of the sending host itself, as for a server's own reports, and
 * the name has no record. No other host sends under such a name.
 */
function isUnlistedServer(spf: SpfFacts, { names, connection }: Facts): boolean {
  const { domain } = spf.report;
  return (
    isUnlisted(spf) &&
    heloName(names.helo) === domain &&
    organizationalDomain(domain) !== domain &&
    ifKnown(connection.heloAddresses)?.some((one) => isSameAddress(one, names.ip ?? '')) === true
  );
}

export const spfRecord = check({
  id: 'spf_record',
  family: 'spf',
  title: 'SPF record of the envelope domain',
  source: 'RFC 7208 §3; Gmail/Yahoo/Microsoft all-sender rules',
  about: {
    what: 'SPF is a list of the servers that may send mail for a domain. It is one TXT record in the DNS of the domain that bounces go to.',
    why: 'Without the list, receivers cannot tell your servers from those of a forger. Gmail, Yahoo and Microsoft ask every sender for SPF or DKIM, and bulk senders for both.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'List everything that sends mail for you: your mail server, your newsletter tool, your shop, your help desk.',
      'At the domain, publish one TXT record that lists all of them and ends in ~all.',
    ],
    bad: 'example.com  TXT  (no record that begins with v=spf1)',
    good: 'example.com  TXT  "v=spf1 ip4:192.0.2.25 include:_spf.google.com ~all"',
    platforms: 'spf',
  },
  subject: ({ spf }) => spf,
  states: ({ fail, warn, pass }) => ({
    absent: fail(12, REFUSED_IN_PART).when(
      'no v=spf1 TXT record at the MAIL FROM domain',
      (spf) => spfRecordsOf(spf).length === 0 && spf.report.scope !== 'helo',
    ),
    // Few servers publish a record for their HELO name, and receivers accept their bounces.
    helo_absent: warn(3).when(
      'no v=spf1 TXT record at the HELO name, which is used when there is no envelope sender',
      (spf) => spfRecordsOf(spf).length === 0,
    ),
    published: pass('exactly one v=spf1 record'),
  }),
  detail: (spf) => {
    const { length } = spfRecordsOf(spf);
    const elsewhere = length === 0 ? spf.syntaxFaults.map(({ bad }) => ` Found: ${bad}.`) : [];
    const none =
      spf.lookalike === undefined ? '' : ` Found: ${spf.lookalike}, which is not an SPF record.`;
    return `${formatCount(length, 'SPF record')} at ${spf.report.domain}.${none}${elsewhere.join('')}`;
  },
  evidence: (spf) => ({ domain: spf.report.domain, records: spfRecordsOf(spf).length }),
  fix: {
    why: '{envelope_domain} has no SPF record, so receivers cannot tell your servers from others. The record must list every service that sends for you.',
    do: 'Find out which address your server sends from. Then publish an SPF record that lists it.',
  },
  fixes: {
    no_domain: {
      why: 'Your envelope sender (MAIL FROM) is at {envelope_domain}, which is not a public domain name, so it cannot have an SPF record.',
      do: 'Set the envelope sender (MAIL FROM) to an address at a domain you own.',
    },
    lookalike:
      'The TXT record at {envelope_domain} looks like SPF, but receivers accept only text that begins with v=spf1 and a space, without quotes.',
    server:
      '{envelope_domain} is the name of your server, and it sends mail from addresses at that name. It has no SPF record, so receivers cannot tell the server from others.',
    helo: 'For bounces, receivers check SPF for the HELO name of your server, {envelope_domain}, which has no SPF record.',
    wrong_name: {
      why: 'This email has no envelope sender, so receivers check SPF for its HELO name, but {envelope_domain} has no SPF record and does not resolve to the address of your server.',
      do: SET_HELO,
    },
    no_name: {
      why: 'This email has no envelope sender, so receivers check SPF for its HELO name, but {envelope_domain} cannot have a record.',
      do: SET_HELO,
    },
    elsewhere:
      'Your SPF record is at _spf.{envelope_domain}, where receivers do not look unless told to. Include it in a record at {envelope_domain}.',
  },
  ...spfFixes,
  cases: (spf, facts) => {
    if (hasNoName(spf)) return [spf.report.scope === 'helo' ? 'no_name' : 'no_domain'];
    if (needsOtherHelo(spf, facts)) return ['wrong_name'];
    if (isUnlistedHelo(spf)) return ['helo'];
    if (isUnlistedServer(spf, facts)) return ['server'];
    if (spf.lookalike !== undefined) return ['lookalike'];
    // Without a record, the only possible fault is a record in another place.
    return spf.syntaxFaults.length > 0 ? ['elsewhere'] : [];
  },
  others: (spf, facts) =>
    hasNoName(spf) || needsOtherHelo(spf, facts) ? undefined : spfOthers(spf, facts),
  cause: (spf, facts) => {
    if (needsOtherHelo(spf, facts)) return 'helo';
    return hasNoName(spf) ? 'envelope_domain' : spfCause(spf);
  },
  steps: (spf, facts) => {
    if (needsOtherHelo(spf, facts)) return ownHeloSteps(facts);
    if (isUnlistedHelo(spf) || isUnlistedServer(spf, facts)) return heloSteps(spf, facts);
    // A text that was intended as the record lists the other servers, whoever sent this email.
    if (!hasNoName(spf))
      return isUnlisted(spf) && planSpf(spf, facts).doubt !== null
        ? askAboutSender(spf, facts)
        : spfSteps(spf, facts);
    const from = publicFrom(facts);
    return from === null ? [] : [serverStep('envelope_domain', from)];
  },
});

export const spfMultipleRecords = check({
  id: 'spf_multiple_records',
  family: 'spf',
  gate: 'spf_record',
  title: 'Number of SPF records',
  source: 'RFC 7208 §3.2, §4.5',
  about: {
    what: 'A domain may have only one SPF record. Two are an error, even if each is correct on its own.',
    why: 'Receivers do not choose one: they stop with a permanent error, and SPF counts as missing.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Copy everything between v=spf1 and the last term of the second record into the first one, before its last term.',
      'Delete the second record.',
    ],
    bad: '"v=spf1 include:_spf.google.com ~all"\n"v=spf1 include:sendgrid.net ~all"',
    good: '"v=spf1 include:_spf.google.com include:sendgrid.net ~all"',
    platforms: 'spf',
  },
  subject: ({ spf }) => spf,
  states: ({ fail, pass }) => ({
    several: fail(12, REFUSED_IN_PART).when(
      'two or more v=spf1 records (permerror)',
      (spf) => spfRecordsOf(spf).length > 1,
    ),
    single: pass('one record'),
  }),
  detail: (spf) => `${formatCount(spfRecordsOf(spf).length, 'SPF record')}; the limit is 1.`,
  evidence: (spf) => ({ records: spfRecordsOf(spf).length, limit: 1 }),
  fix: {
    why: '{envelope_domain} has several SPF records, so receivers use none of them.',
    do: 'Join them into one record, and delete the others.',
  },
  ...spfFixes,
});
