/**
 * Cases of complete emails whose domains, links or addresses are listed, or whose domains do not exist or
 * cannot receive email.
 */

import type { ZoneRecords } from '../../../environment/dns-zone.ts';
import { IP } from '../../../support/mail/inspection-environment.ts';
import { type Case, type Names, NO_DOORS } from '../case.ts';
import { newsletter, withHtml } from '../mails.ts';
import { ORIGIN, PTR, RIGHT_SPF } from '../zone.ts';

const LISTED: Names = { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } };

const POOL = 'o1.sendgrid.net';

/**
 * A newsletter from a From domain that no longer exists. It is signed by, and bounces to, another domain.
 */
const goneFrom = newsletter({ From: 'Example Shop <news@gone.example.com>' });

const domain = (MX: string[]): Names => ({
  'example.com': { ...ORIGIN, MX, TXT: [RIGHT_SPF] },
});

const subdomain = { dmarc_inherited: 'inherited', mta_sts: 'absent', tls_rpt: 'absent' } as const;

/** A domain to which nobody can send email needs no TLS. */
const unreachable = { mta_sts: 'left out', tls_rpt: 'left out', ...NO_DOORS } as const;

/** The states if the SPF record could not be looked up. */
const NO_SPF = {
  ...{ spf_record: 'unknown', spf_helo: 'unknown', spf_result: 'left out', spf_syntax: 'left out' },
  ...{ spf_lookup_limit: 'left out', spf_void_lookups: 'left out' },
  ...{ spf_multiple_records: 'left out', spf_all_qualifier: 'left out' },
} as const;

/** The states if there is no host to connect to. */
const UNREACHED = {
  mx_ipv6: 'left out',
  mx_starttls: 'left out',
  mx_certificate: 'left out',
} as const;

/** The states of a domain that no email can reach. */
const NOWHERE = {
  from_domain_mx: 'unreachable',
  envelope_domain_mx: 'unreachable',
  ...UNREACHED,
} as const;

/** A case in which these hosts receive email for the domain. */
const mailHosts = (about: string, MX: string[], zone: Names, states: Case['states']): Case => ({
  about,
  zone: { ...domain(MX), '_mta-sts.example.com': null, ...zone },
  states: { mta_sts: 'absent', ...states },
});

/** A case with a separate MAIL FROM domain. */
const bounces = (about: string, records: ZoneRecords, states: Case['states']): Case => ({
  about,
  from: { localPart: 'b', domain: 'bounce.example.com', smtputf8: false },
  zone: { 'bounce.example.com': { ...records, TXT: [RIGHT_SPF] } },
  states,
});

export const reputationCases: readonly Case[] = [
  { about: 'listed by SpamCop', zone: LISTED, states: { spamcop_listed: 'listed' } },
  {
    about: 'listed, and the IP is of a large pool',
    client: { helo: POOL },
    zone: { ...LISTED, [PTR]: { PTR: [POOL] }, [POOL]: { A: [IP], TXT: ['v=spf1 a -all'] } },
    states: { spamcop_listed: 'shared_pool_listed', spf_helo: 'left out' },
  },
  {
    about: 'listed, and HELO only claims to be of a large pool',
    client: { helo: POOL },
    zone: { ...LISTED, [POOL]: { A: ['192.0.2.99'], TXT: [`v=spf1 ip4:${IP} -all`] } },
    states: { spamcop_listed: 'listed', helo_matches_ptr: 'mismatch', spf_helo: 'left out' },
  },
  {
    about: 'listed by Spamhaus as an address for end users',
    zone: { '25.2.0.192.zen.spamhaus.org': { A: ['127.0.0.11'] } },
    states: { dnsbl_listed: 'listed' },
  },
  {
    about: 'listed by Spamhaus, and the IP is of a large pool',
    client: { helo: POOL },
    zone: {
      '25.2.0.192.zen.spamhaus.org': { A: ['127.0.0.2'] },
      [PTR]: { PTR: [POOL] },
      [POOL]: { A: [IP], TXT: ['v=spf1 a -all'] },
    },
    states: { dnsbl_listed: 'counted_listed', spf_helo: 'left out' },
  },
  {
    about: 'listed by Mailspike',
    zone: { '25.2.0.192.bl.mailspike.net': { A: ['127.0.0.12'] } },
    states: { dnsbl_listed: 'counted_listed' },
  },
  {
    about: 'a domain that Spamhaus lists',
    zone: { 'example.com.dbl.spamhaus.org': { A: ['127.0.1.4'] } },
    states: { domain_listed: 'listed' },
  },
  {
    about: 'a link to a domain that SURBL lists',
    mail: withHtml('<p><a href="https://a.linked.example/">Look</a></p>'),
    zone: { 'linked.example.multi.surbl.org': { A: ['127.0.0.72'] } },
    states: { domain_listed: 'listed' },
  },
  {
    about: 'a link to a legitimate domain that spammers abuse',
    mail: withHtml('<p><a href="https://a.linked.example/">Look</a></p>'),
    zone: { 'linked.example.dbl.spamhaus.org': { A: ['127.0.1.102'] } },
    states: { domain_listed: 'counted_listed' },
  },
  {
    about: 'a link to a domain that a platform shares out, and Spamhaus lists',
    mail: withHtml('<p><a href="https://u1.ct.sendgrid.net/">Look</a></p>'),
    zone: { 'sendgrid.net.dbl.spamhaus.org': { A: ['127.0.1.2'] } },
    states: { domain_listed: 'counted_listed' },
  },
  {
    about: 'a From domain that does not exist',
    mail: goneFrom,
    states: { ...subdomain, ...unreachable, from_domain_mx: 'no_such_domain' },
  },
  {
    about: 'a From domain whose name servers fail',
    isUnanswered: true,
    mail: goneFrom,
    zone: { 'gone.example.com': 'SERVFAIL' },
    states: { ...subdomain, ...NO_DOORS, dnssec: 'unknown', from_domain_mx: 'failing' },
  },
  {
    about: 'a From domain whose signatures do not hold',
    isUnanswered: true,
    mail: goneFrom,
    zone: { 'gone.example.com': 'BOGUS' },
    states: { ...subdomain, ...NO_DOORS, dnssec: 'bogus', from_domain_mx: 'failing' },
  },
  {
    about: 'an envelope domain whose name servers fail',
    isUnanswered: true,
    from: { localPart: 'bounce', domain: 'lost.example.com', smtputf8: false },
    zone: { 'lost.example.com': 'SERVFAIL' },
    states: { ...NO_SPF, envelope_domain_mx: 'failing' },
  },
  {
    about: 'an envelope domain whose signatures do not hold',
    isUnanswered: true,
    from: { localPart: 'bounce', domain: 'lost.example.com', smtputf8: false },
    zone: { 'lost.example.com': 'BOGUS' },
    states: { ...NO_SPF, envelope_domain_mx: 'failing' },
  },
  {
    about: 'a From domain with addresses only',
    mail: goneFrom,
    zone: { 'gone.example.com': { A: ['192.0.2.80'] } },
    states: { ...subdomain, from_domain_mx: 'unreachable' },
  },
  {
    about: 'a From domain without MX that sends the email itself',
    mail: goneFrom,
    zone: { 'gone.example.com': { A: [IP] } },
    states: { ...subdomain, from_domain_mx: 'unreachable' },
  },
  {
    about: 'a From domain with a private address only',
    mail: goneFrom,
    zone: { 'gone.example.com': { A: ['10.0.0.80'] } },
    states: { ...subdomain, from_domain_mx: 'unreachable', ...UNREACHED },
  },
  {
    about: 'a From domain that exists',
    mail: goneFrom,
    zone: { 'gone.example.com': ORIGIN },
    states: subdomain,
  },
  mailHosts(
    'a null MX beside the mail host',
    ['0 .', ...ORIGIN.MX],
    {},
    { from_domain_mx: 'partly_reachable', envelope_domain_mx: 'partly_reachable' },
  ),
  {
    about: 'a null MX where replies go',
    zone: {
      ...domain(['0 .']),
      '_mta-sts.example.com': null,
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:a@mail.example.com'] },
      'mail.example.com': { A: [IP], MX: ['10 mail.example.com'], TXT: ['v=spf1 a -all'] },
    },
    states: { from_domain_mx: 'unreachable', envelope_domain_mx: 'no_such_domain', ...unreachable },
  },
  {
    about: 'a null MX, and DMARC reports to nobody',
    mail: newsletter({ 'Reply-To': 'office@mail.example.com' }),
    zone: { ...domain(['0 .']), '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } },
    states: { ...unreachable, envelope_domain_mx: 'no_such_domain', dmarc_rua: 'undeliverable' },
  },
  {
    about: 'a null MX, and replies go elsewhere',
    mail: newsletter({ 'Reply-To': 'office@mail.example.com' }),
    zone: {
      ...domain(['0 .']),
      '_mta-sts.example.com': null,
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:a@mail.example.com'] },
      'mail.example.com': { A: [IP], MX: ['10 mail.example.com'], TXT: ['v=spf1 a -all'] },
    },
    states: { ...unreachable, envelope_domain_mx: 'no_such_domain' },
  },
  mailHosts('an MX that is an address', ['10 192.0.2.25'], {}, { ...NOWHERE, dane: 'left out' }),
  mailHosts(
    'an MX host with the domain appended',
    ['10 mx.provider.example.example.com'],
    { 'mx.provider.example': { A: ['198.51.100.9'] } },
    { ...NOWHERE, dane: 'left out' },
  ),
  mailHosts(
    'an MX host without address',
    ['10 gone.example.com'],
    {},
    { ...NOWHERE, dane: 'left out' },
  ),
  mailHosts(
    'an MX host at a private address',
    ['10 in.example.com'],
    { 'in.example.com': { A: ['10.0.0.1'] } },
    NOWHERE,
  ),
  mailHosts(
    'one MX host of two without address',
    ['5 gone.example.com', '10 mail.example.com'],
    {},
    {
      from_domain_mx: 'partly_reachable',
      envelope_domain_mx: 'partly_reachable',
    },
  ),
  mailHosts(
    'an MX host that is an alias',
    ['10 mx.example.com'],
    { 'mx.example.com': { CNAME: 'mail.example.com' } },
    { from_domain_mx: 'alias', envelope_domain_mx: 'alias' },
  ),
  bounces('bounces that nothing takes', {}, { envelope_domain_mx: 'no_such_domain' }),
  bounces(
    'bounces that a null MX refuses',
    { MX: ['0 .'] },
    { envelope_domain_mx: 'no_such_domain' },
  ),
];
