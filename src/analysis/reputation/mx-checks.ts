/** The checks of whether the From domain and the envelope's domain can receive mail. */

import { askStep, dnsStep, serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { isOthersDomain, isOwnName } from '../advice/ownership.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { known, type LookupResult, mapLookup, thenLookup } from '../lookup-result.ts';
import { organizationalDomain, sameOrganization } from '../names/domain-names.ts';
import type { MailHosts } from '../names/facts.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { isIdle } from '../names/parked.ts';
import { SEND_AS_OWN } from './blocklist-checks.ts';
import {
  type DnsFailure,
  dnsFails,
  dnsFailureOf,
  failureCause,
  failureFixes,
  failureSteps,
  formatFailure,
} from './dns-failure.ts';
import {
  hostStates,
  judgeMxHosts,
  type MxJudgement,
  mxEvidence,
  mxFaults,
  mxFixes,
  mxSteps,
  mxValues,
  NO_FAULT,
} from './mx-hosts.ts';

type EnvelopeMx = MailHosts & {
  readonly hosts: MxJudgement;
  readonly failure?: DnsFailure | undefined;
};

/**
 * Returns whether nobody can send mail to the envelope domain. Such domains are `localhost`, names with a
 * single label, and address literals.
 */
const isNowhere = ({ nullSender, envelopeDomain }: Facts['names']): boolean =>
  !nullSender && !isPublicDomain(envelopeDomain);

const NOWHERE: EnvelopeMx = { mx: [], nullMx: false, hasAddress: false, hosts: NO_FAULT };

const fromFailure = ({ fromDomainExists, fromMx }: Facts['names']): DnsFailure | undefined =>
  dnsFailureOf(fromDomainExists) ?? dnsFailureOf(fromMx);

const isFailingWithFrom = (names: Facts['names']): boolean =>
  fromFailure(names) !== undefined &&
  names.fromDomain !== null &&
  sameOrganization(names.fromDomain, names.envelopeDomain);

/** Does not apply to the null sender, because no bounces go to it. */
export const envelopeDomainMx = check({
  id: 'envelope_domain_mx',
  family: 'reputation',
  title: 'Mail host (MX) of the envelope domain',
  source:
    'RFC 5321 §5.1; RFC 2181 §10.3; RFC 7505; Postfix reject_unknown_sender_domain; rspamd HFILTER_FROMHOST_NORES_A_OR_MX',
  about: {
    what: 'The domain that bounces go to should be able to receive mail.',
    why: 'Otherwise bounces are lost and you keep sending to dead addresses, which harms your reputation.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Publish an MX record at the bounce domain; your platform shows which one.',
    ],
    bad: 'bounce.example.com  MX  (no record)',
    good: 'bounce.example.com  MX  10 feedback-smtp.eu-west-1.amazonses.com',
    platforms: 'return_path',
  },
  subject: ({ names }): LookupResult<EnvelopeMx> | undefined => {
    const { envelopeDomain, envelopeMx, mxHosts } = names;
    if (isNowhere(names)) return known(NOWHERE);
    const failure = envelopeMx ? dnsFailureOf(envelopeMx) : undefined;
    // A failing zone is a single fault, which `from_domain_mx` reports.
    if (failure && isFailingWithFrom(names)) return undefined;
    if (failure) return known({ ...NOWHERE, hasAddress: true, failure });
    return envelopeMx
      ? thenLookup<MailHosts, EnvelopeMx>(envelopeMx, (lookup) =>
          mapLookup(judgeMxHosts(envelopeDomain, lookup, mxHosts), (hosts) => ({
            ...lookup,
            hosts,
          })),
        )
      : undefined;
  },
  states: (made) => ({
    // Without an MX record, mail goes to the domain's own address (RFC 5321 §5.1).
    no_such_domain: made
      .fail(10, 59)
      .when(
        'a name that is not public, neither MX nor address records, or a null MX: many receivers refuse such a MAIL FROM',
        ({ mx, nullMx, hasAddress }) => nullMx || (mx.length === 0 && !hasAddress),
      ),
    failing: dnsFails(made),
    unreachable: made
      .fail(10)
      .when(
        'neither an MX host nor an address record can be reached: bounces cannot be delivered',
        ({ hosts }) => hosts.noneLeft,
      ),
    ...hostStates(made),
    reachable: made.pass('an MX record, or an address record instead'),
  }),
  detail: ({ mx, nullMx, hasAddress, hosts, failure }, { names }) => {
    const { envelopeDomain } = names;
    if (failure) return formatFailure(envelopeDomain, failure);
    if (isNowhere(names)) return `${envelopeDomain} is not a public domain name.`;
    const instead = hasAddress
      ? 'none, so mail goes to its address'
      : 'none, and no address record';
    return `MX of ${envelopeDomain}: ${nullMx ? 'null MX, which means that it accepts no mail' : mx.join(', ') || instead}${mxFaults(hosts)}.`;
  },
  evidence: (lookup, { names: { envelopeDomain } }) => ({
    domain: envelopeDomain,
    ...mxEvidence(lookup),
  }),
  fix: '{envelope_domain} has no MX record that names a mail host, so bounces are lost.',
  fixes: {
    ...failureFixes('{envelope_domain}'),
    no_domain: 'Bounces go to {envelope_domain}, which nobody outside your network can reach.',
    null_mx: '{envelope_domain} declares that it accepts no mail (null MX), so bounces are lost.',
    dead: 'Bounces cannot be delivered to {dead_hosts}.',
    some_dead: 'Mail cannot be delivered to {dead_hosts}, a mail host (MX) of {envelope_domain}.',
    appended:
      'Mail cannot be delivered to {dead_hosts}, a mail host (MX) of {envelope_domain}: your DNS panel has added your domain to the name. Enter the name with a dot at the end.',
    null_beside:
      '{envelope_domain} has a null MX, which declines all mail, beside records that name mail hosts. Some servers then return mail to you as undeliverable.',
    alias:
      'The MX of {envelope_domain} names an alias (CNAME), which is not allowed in an MX record.',
  },
  cases: ({ nullMx, hosts, failure }, { names }) => {
    if (failure) return [failure];
    if (isNowhere(names)) return ['no_domain'];
    return nullMx ? ['null_mx'] : mxFixes(hosts);
  },
  values: ({ hosts }) => mxValues(hosts),
  cause: ({ failure }, { names }) => {
    if (failure) return failureCause(names.envelopeDomain);
    return isNowhere(names) ? 'envelope_domain' : `mx:${names.envelopeDomain}`;
  },
  steps: (mx, facts) => {
    if (mx.failure) return failureSteps(facts.names.envelopeDomain, mx.failure);
    if (!isNowhere(facts.names)) return mxSteps(facts.names.envelopeDomain, mx, 'bounces', facts);
    const from = publicFrom(facts);
    return [from === null ? askStep(SEND_AS_OWN, 'sender') : serverStep('envelope_domain', from)];
  },
});

interface FromDomain extends MailHosts {
  readonly failure?: DnsFailure | undefined;
  readonly exists: boolean;
  /** True if replies go to the From domain itself. */
  readonly takesReplies: boolean;
  readonly hosts: MxJudgement;
}

function judgeFromDomain({ names, headers }: Facts): LookupResult<FromDomain> | undefined {
  const failure = fromFailure(names);
  if (failure) return known({ ...NOWHERE, exists: true, takesReplies: false, failure });
  return thenLookup(names.fromDomainExists, (exists) => {
    if (!exists) return known({ ...NOWHERE, exists, takesReplies: false });
    return thenLookup(names.fromMx, (lookup): LookupResult<FromDomain> => {
      if (!lookup.nullMx)
        return mapLookup(judgeMxHosts(names.fromDomain ?? '', lookup, names.mxHosts), (hosts) => {
          return { exists, ...lookup, takesReplies: true, hosts };
        });
      return mapLookup(headers, ({ replyTo: { domain: replyTo } }) => {
        const takesReplies = !replyTo || replyTo === names.fromDomain;
        return { exists, ...lookup, takesReplies, hosts: NO_FAULT };
      });
    });
  });
}

export const fromDomainMx = check({
  id: 'from_domain_mx',
  family: 'reputation',
  title: 'Mail host (MX) of the From domain',
  source: 'RFC 5321 §5.1; RFC 2181 §10.3; RFC 7505',
  about: {
    what: 'The domain in From should be able to receive mail. An MX record names the server that receives it.',
    why: 'Readers reply to that address, and filters distrust senders who cannot receive replies.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Publish an MX record at the domain with the name of the server that receives its mail.',
    ],
    bad: 'example.com  MX  (no record)',
    good: 'example.com  MX  10 mail.example.com',
  },
  subject: (facts) => (facts.names.fromDomain === null ? undefined : judgeFromDomain(facts)),
  states: (made) => ({
    no_such_domain: made
      .fail(10, 59)
      .when('the From domain does not exist (NXDOMAIN)', ({ exists }) => !exists),
    failing: dnsFails(made),
    unreachable: made
      .warn(3)
      .when(
        'no MX (address records only), none of its hosts can be reached (an address instead of a name, no address, a private one), or a null MX although replies go to the domain',
        ({ mx, nullMx, takesReplies, hosts }) =>
          nullMx ? takesReplies : mx.length === 0 || hosts.noneLeft,
      ),
    ...hostStates(made),
    reachable: made.pass('an MX record that names a mail host'),
  }),
  detail: ({ exists, mx, nullMx, hasAddress, hosts, failure }, { names: { fromDomain } }) => {
    if (failure) return formatFailure(fromDomain ?? '', failure);
    if (!exists) return `${fromDomain} does not exist.`;
    const none = `none, ${hasAddress ? 'only an' : 'and no'} address record`;
    return `MX of ${fromDomain}: ${nullMx ? 'null MX, which means that it accepts no mail' : mx.join(', ') || none}${mxFaults(hosts)}.`;
  },
  evidence: (lookup, { names: { fromDomain } }) => ({
    domain: fromDomain,
    exists: lookup.exists,
    ...mxEvidence(lookup),
  }),
  fix: '{from_domain} has no MX record that names a mail host, so replies are lost.',
  fixes: {
    ...failureFixes('{from_domain}'),
    local: 'Your From address is at {from_domain}, which nobody outside your network can reach.',
    nonexistent:
      'The domain {from_domain} does not exist in DNS, and receivers refuse mail from it.',
    implicit:
      '{from_domain} has no MX record, so replies go to the server at its address, which may not accept mail.',
    idle: '{from_domain} declares that it does not send mail (v=spf1 -all), but has no MX record that says whether it receives any.',
    null_mx:
      '{from_domain} declares that it accepts no mail (null MX), so replies and bounces are lost.',
    dead: 'Mail cannot be delivered to {dead_hosts}.',
    some_dead: 'Mail cannot be delivered to {dead_hosts}, a mail host (MX) of {from_domain}.',
    appended:
      'Mail cannot be delivered to {dead_hosts}, a mail host (MX) of {from_domain}: your DNS panel has added your domain to the name. Enter the name with a dot at the end.',
    null_beside:
      '{from_domain} has a null MX, which declines all mail, beside records that name mail hosts. Some servers then return mail to you as undeliverable.',
    alias: 'The MX of {from_domain} names an alias (CNAME), which is not allowed in an MX record.',
  },
  cases: ({ exists, mx, nullMx, hasAddress, hosts, failure }, facts) => {
    if (failure) return [failure];
    if (publicFrom(facts) === null) return ['local'];
    if (!exists) return ['nonexistent'];
    if (nullMx) return ['null_mx'];
    if (mx.length > 0) return mxFixes(hosts);
    if (isIdle(facts)) return ['idle'];
    return hasAddress ? ['implicit'] : [];
  },
  values: ({ hosts }) => mxValues(hosts),
  cause: ({ failure }, { names }) =>
    failure ? failureCause(names.fromDomain ?? '') : `mx:${names.fromDomain}`,
  steps: ({ exists, failure, ...mx }, facts) => {
    if (failure) return failureSteps(facts.names.fromDomain ?? '', failure);
    const from = publicFrom(facts);
    if (from === null) return [askStep(SEND_AS_OWN, 'sender')];
    if (!exists) return [askStep(isOthersDomain(from, facts) ? SEND_AS_OWN : comeToExist(from))];
    if (isIdle(facts) && isOwnName(from, facts))
      return [
        askStep(
          `Does a server receive mail for ${from}? If so, publish an MX record at ${from} that names it. If not, publish the record below, which says so.`,
        ),
        dnsStep(from, 'MX', '0 .'),
      ];
    return mxSteps(from, mx, 'replies', facts);
  },
});

/**
 * Returns an instruction for a From domain that does not exist. Only an organizational domain can be
 * registered, while a name below it is published in the DNS.
 */
function comeToExist(domain: string): string {
  const organization = organizationalDomain(domain);
  return organization === domain
    ? `Register ${domain}, or publish its records. ${SEND_AS_OWN}`
    : `Send from an address at ${organization}, or publish an MX record at ${domain} that names your mail server.`;
}
