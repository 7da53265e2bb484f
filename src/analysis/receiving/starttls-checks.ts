/** The checks of TLS and certificates on MX hosts. */

import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { entryOf, ifKnown, known, type LookupResult, unknown } from '../lookup-result.ts';
import { ofReceiver } from '../names/domain-names.ts';
import type { HostTls } from './facts.ts';
import { formatTlsa, hostStep, tlsaStep } from './tlsa.ts';

interface Shown extends HostTls {
  readonly host: string;
}

type Hosts = readonly Shown[];

/**
 * Returns the MX hosts with the TLS that they offered. Does not apply if connections are turned off. A single
 * faulty host is enough, but a clean result needs an answer from each host.
 */
function hostsShown(
  facts: Facts,
  applies: (one: Shown) => boolean,
  isFaulty: (one: Shown) => boolean,
): LookupResult<Hosts> | undefined {
  const { starttls } = facts.receiving;
  if (starttls === undefined) return undefined;
  if (starttls === null) return unknown('starttls: mail hosts: no answer in time');
  const lookups = Object.entries(starttls);
  const shown = lookups.flatMap(([host, one]) =>
    one.status === 'known' ? [{ host, ...one.value }] : [],
  );
  const hosts = shown.filter(applies);
  const open = lookups.find(([, { status }]) => status === 'unknown')?.[1];
  if (open?.status === 'unknown' && !hosts.some(isFaulty)) return ofReceiver(facts, open);
  return hosts.length === 0 ? undefined : ofReceiver(facts, known(hosts));
}

const namesOf = (hosts: Hosts) => hosts.map(({ host }) => host);

const withoutTls = ({ version }: HostTls): boolean => version === null;

/** Returns whether a connection used TLS 1.0 or 1.1, which is no longer allowed (RFC 8996). */
const isOld = ({ version }: HostTls): boolean => version === 'TLSv1' || version === 'TLSv1.1';

/** Returns the hosts that a fix concerns: those without TLS, or otherwise those with an old version. */
const toEncrypt = (hosts: Hosts): Hosts =>
  hosts.some(withoutTls) ? hosts.filter(withoutTls) : hosts.filter(isOld);

export const mxStarttls = check({
  id: 'mx_starttls',
  family: 'transport',
  title: 'TLS of the mail hosts (MX)',
  source: 'RFC 3207; RFC 8996; RFC 7672 §2.2; RFC 8461 §4.2',
  about: {
    what: 'A mail host offers encryption with STARTTLS, and both sides then agree on a version of TLS.',
    why: 'Without it, others can read your incoming mail in transit, and senders that follow MTA-STS or DANE deliver nothing.',
    how: [
      'Turn STARTTLS on in your mail server, with a certificate for its name.',
      'Allow TLS 1.2 and 1.3 there.',
    ],
    bad: '250-mail.example.com\n250 SIZE',
    good: '250-mail.example.com\n250-SIZE\n250 STARTTLS',
  },
  subject: (facts) =>
    hostsShown(
      facts,
      () => true,
      (one) => withoutTls(one) || isOld(one),
    ),
  states: ({ warn, pass }) => ({
    none: warn(0).when(
      'an MX host that does not offer STARTTLS, or with which no TLS connection succeeds',
      (hosts) => hosts.some(withoutTls),
    ),
    old: warn(0).when('an MX host that supports TLS 1.0 or 1.1 at best', (hosts) =>
      hosts.some(isOld),
    ),
    offered: pass('every MX host supports TLS 1.2 or 1.3'),
  }),
  detail: (hosts) =>
    hosts
      .map(({ host, version, fault }) => `${host}: ${version ?? fault}`)
      .join('; ')
      .concat('.'),
  evidence: (hosts) => ({
    hosts: namesOf(hosts),
    versions: [...new Set(hosts.flatMap(({ version }) => version ?? []))],
    without_tls: namesOf(hosts.filter(withoutTls)),
  }),
  fix: 'Mail to {hosts} is not encrypted, so others can read it in transit.',
  fixes: {
    old: '{hosts} supports only versions of TLS that are no longer safe.',
  },
  cases: (hosts) => (hosts.some(withoutTls) ? [] : ['old']),
  values: (hosts) => ({ hosts: formatList(namesOf(toEncrypt(hosts))) }),
  steps: (hosts, facts) =>
    toEncrypt(hosts).map(({ host }) =>
      hostStep(
        host,
        'turn on STARTTLS with TLS 1.2 and 1.3. In Postfix, set smtpd_tls_security_level = may, smtpd_tls_chain_files and smtpd_tls_protocols = >=TLSv1.2.',
        facts,
      ),
    ),
});

const isOther = ({ named }: HostTls): boolean => named === false;

/**
 * Returns whether senders refuse a host because the MTA-STS policy requires a valid certificate (RFC 8461
 * §4.2).
 */
const isRefused = ({ fault }: HostTls, { transport }: Facts): boolean =>
  fault !== null && ifKnown(transport.mtaSts)?.state === 'enforce';

/** Returns whether a certificate is not valid and no TLSA record vouches for it instead (RFC 7672 §3.1). */
const isUnproved = ({ fault, named }: HostTls): boolean => fault !== null && named !== true;

const toRenew = (hosts: Hosts, facts: Facts): Hosts => {
  const refused = hosts.filter((one) => isRefused(one, facts));
  return refused.length > 0 ? refused : hosts.filter(isUnproved);
};

export const mxCertificate = check({
  id: 'mx_certificate',
  family: 'transport',
  title: 'Certificate of the mail hosts (MX)',
  source: 'RFC 7672 §3; RFC 8461 §4.2; RFC 7435',
  about: {
    what: 'The certificate of a mail host shows senders that they have reached the right one.',
    why: 'Most senders accept any certificate. Those that follow your MTA-STS policy or TLSA records deliver nothing to a server without a valid one.',
    how: [
      'Get a certificate for the name in the MX record from a public certificate authority (CA).',
      'Install it with its full chain, and set up automatic renewal.',
      'With DANE, publish the hash of a new key before you use it.',
    ],
    bad: 'mail.example.com  (a certificate for web.example.com)',
    good: 'mail.example.com  (a certificate for mail.example.com)',
  },
  subject: (facts) =>
    hostsShown(
      facts,
      (one) => !withoutTls(one),
      (one) => isOther(one) || isRefused(one, facts) || isUnproved(one),
    ),
  states: ({ warn, suggest, pass }) => ({
    not_named: warn(0).when(
      'the certificate of an MX host matches none of its usable TLSA records: senders that support DANE deliver nothing',
      (hosts) => hosts.some(isOther),
    ),
    refused: warn(0).when(
      'the certificate of an MX host is not valid for its name, and MTA-STS is enforced: senders that follow it deliver nothing',
      (hosts, facts) => hosts.some((one) => isRefused(one, facts)),
    ),
    unproved: suggest.when(
      'the certificate of an MX host is not valid for its name, but no policy requires it',
      (hosts) => hosts.some(isUnproved),
    ),
    valid: pass('valid for the name, or matched by a TLSA record'),
  }),
  detail: (hosts) =>
    hosts
      .map(({ host, fault, named }) => {
        const byTlsa = named === null ? '' : `, and ${named ? 'a' : 'no'} TLSA record matches it`;
        return `The certificate of ${host} ${fault ?? 'is valid'}${byTlsa}.`;
      })
      .join(' '),
  evidence: (hosts, facts) => ({
    hosts: namesOf(hosts),
    not_valid: namesOf(hosts.filter(({ fault }) => fault !== null)),
    not_named: namesOf(hosts.filter(isOther)),
    mta_sts: ifKnown(facts.transport.mtaSts)?.state ?? null,
  }),
  fix: 'Senders cannot tell {hosts} from a server that only claims to be it. The certificate has to be valid before you enforce MTA-STS.',
  fixes: {
    refused: 'Senders that follow your MTA-STS policy deliver nothing to {hosts}.',
    not_named: 'Senders that support DANE deliver nothing to {other_hosts}.',
  },
  cases: (hosts, facts) =>
    whichHold({
      not_named: hosts.some(isOther),
      refused: hosts.some((one) => isRefused(one, facts)),
    }),
  values: (hosts, facts) => ({
    hosts: formatList(namesOf(toRenew(hosts, facts))),
    other_hosts: formatList(namesOf(hosts.filter(isOther))),
  }),
  steps: (hosts, facts, name) =>
    name === 'not_named'
      ? hosts.filter(isOther).map(({ host }) => {
          const lookup = entryOf(facts.receiving.tlsa, host);
          return tlsaStep(host, ((lookup && ifKnown(lookup)) ?? []).map(formatTlsa), facts);
        })
      : toRenew(hosts, facts).map(({ host }) =>
          hostStep(
            host,
            `get a certificate for this name from a public certificate authority (CA), such as Let's Encrypt, and install it with its full chain.`,
            facts,
          ),
        ),
});
