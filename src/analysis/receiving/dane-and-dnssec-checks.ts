/** The checks of DNSSEC and DANE for the hosts that receive the From domain's mail. */

import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { known, type LookupResult } from '../lookup-result.ts';
import { ofReceiver } from '../names/domain-names.ts';
import type { ReceivingFacts, Signed } from './facts.ts';
import { formatTlsa, tlsaFault, tlsaStep } from './tlsa.ts';

interface Host {
  readonly host: string;
  readonly usable: number;
  /** Faults of TLSA records that no sender can use. */
  readonly faults: readonly string[];
  readonly records: readonly string[];
}

interface Dane {
  readonly hosts: readonly Host[];
}

/**
 * Judges the TLSA records of MX hosts. Does not apply unless DNSSEC proves both the MX and the addresses of a
 * host, because otherwise senders do not look up TLSA.
 */
function judgeHosts({ receiving }: Facts): LookupResult<Dane> | undefined {
  const lookups = Object.entries(receiving.tlsa);
  if (lookups.length === 0) return undefined;
  const hosts = lookups.flatMap(([host, lookup]): Host[] => {
    if (lookup.status === 'unknown') return [];
    const faults = lookup.value.map(tlsaFault);
    return [
      {
        host,
        usable: faults.filter((fault) => fault === null).length,
        faults: faults.flatMap((fault) => fault ?? []),
        records: lookup.value.map(formatTlsa),
      },
    ];
  });
  const open = lookups.find(([, lookup]) => lookup.status === 'unknown')?.[1];
  return open?.status === 'unknown' && !hosts.some(isFaulty) ? open : known({ hosts });
}

const isFaulty = ({ usable, faults }: Host): boolean => usable === 0 && faults.length > 0;
const isProtected = ({ usable }: Host): boolean => usable > 0;
const namesOf = (hosts: readonly Host[]) => hosts.map(({ host }) => host);

/** Returns the hosts whose TLSA records a fix concerns. */
const toFixIn = ({ hosts }: Dane): readonly Host[] => {
  const faulty = hosts.filter(isFaulty);
  return faulty.length > 0 ? faulty : hosts.filter((one) => !isProtected(one));
};

export const dane = check({
  id: 'dane',
  family: 'transport',
  gate: 'dnssec',
  opensOn: ['pass', 'info'],
  title: 'DANE of the mail hosts (MX)',
  source: 'RFC 7672 §2.2, §3.1; RFC 6698 §2.1',
  about: {
    what: 'DANE publishes the key of your mail server in a TLSA record that DNSSEC protects.',
    why: 'Senders that support DANE then deliver mail for you only to that server, and never without encryption. DANE protects the mail that others send to you.',
    how: [
      'Have the domain and the name of its mail server signed with DNSSEC.',
      "Publish a TLSA record with the hash of the server's public key for each MX host.",
      'Keep that key when you renew the certificate, or first publish the hash of the next key as well.',
    ],
    bad: '_25._tcp.mail.example.com  TLSA  1 0 1 (a usage that mail servers do not accept)',
    good: '_25._tcp.mail.example.com  TLSA  3 1 1 (SHA-256 of the public key)',
  },
  subject: judgeHosts,
  states: ({ warn, suggest, info, pass }) => ({
    unusable: warn(0).when(
      'an MX host whose TLSA records are all unusable: usage other than 2 and 3, unknown selector or matching type, a hash of the wrong length',
      ({ hosts }) => hosts.some(isFaulty),
    ),
    partial: suggest.when(
      'usable TLSA for only some of the signed MX hosts: an attacker can divert mail to the others',
      ({ hosts }) => hosts.some(isProtected) && !hosts.every(isProtected),
    ),
    absent: info.when(
      'no TLSA records (most domains have none)',
      ({ hosts }) => !hosts.some(isProtected),
    ),
    protected: pass('usable TLSA for each signed MX host'),
  }),
  detail: ({ hosts }) =>
    hosts
      .map(({ host, usable, faults }) =>
        [`_25._tcp.${host}: ${formatCount(usable, 'usable TLSA record')}`, ...faults].join(', '),
      )
      .join('; ')
      .concat('.'),
  evidence: ({ hosts }) => ({
    protected: namesOf(hosts.filter(isProtected)),
    unprotected: namesOf(hosts.filter((one) => !isProtected(one))),
    unusable: hosts.flatMap(({ faults }) => faults),
  }),
  fix: 'Senders cannot use the TLSA records of {hosts}.',
  fixes: {
    partial: 'Some of your mail hosts have a TLSA record, but {hosts} has none.',
  },
  cases: ({ hosts }) => (hosts.some(isFaulty) ? [] : ['partial']),
  values: (one) => ({ hosts: formatList(namesOf(toFixIn(one))) }),
  steps: (one, facts) => toFixIn(one).map(({ host, records }) => tlsaStep(host, records, facts)),
});

type Dnssec = Extract<ReceivingFacts['dnssec'], { status: 'known' }>['value'];

const hostsThatAre = ({ hosts }: Dnssec, signed: Signed): readonly string[] =>
  Object.keys(hosts).filter((host) => hosts[host] === signed);

/** Returns the names whose DNSSEC signatures are invalid, so that resolvers discard their answers. */
const bogusNames = (one: Dnssec, domain: string | null): readonly string[] => [
  ...new Set([...(one.domain === 'bogus' ? [domain ?? ''] : []), ...hostsThatAre(one, 'bogus')]),
];

const IN_WORDS = {
  secure: 'signed',
  insecure: 'not signed',
  bogus: 'signed, but its signatures are not valid',
};

export const dnssec = check({
  id: 'dnssec',
  family: 'transport',
  title: 'DNSSEC of the From domain and its mail hosts',
  source: 'RFC 9364; RFC 4035 §4.3; RFC 8914',
  about: {
    what: 'DNSSEC signs the records of a domain, so that nobody can change them in transit.',
    why: 'A broken signature is worse than none: resolvers that check it find no records, and mail to and from the domain fails. DANE requires DNSSEC.',
    how: [
      'Turn on DNSSEC where the DNS of your domain is hosted, and copy the DS record to your registrar.',
      'Before you move to another DNS host, have the DS record removed, and wait a day.',
      'If it is broken, compare the DS record at the registrar with the key that your DNS host shows.',
    ],
    bad: 'example.com  DS  (of a key that the zone does not have)',
    good: 'example.com  DS  12345 13 2 (the hash of a key of the zone)',
  },
  subject: (facts) => ofReceiver(facts, facts.receiving.dnssec),
  states: ({ warn, info, pass }) => ({
    bogus: warn(0).when(
      'a validating resolver reports that the signatures of the domain or of an MX host are not valid',
      (one) => one.domain === 'bogus' || hostsThatAre(one, 'bogus').length > 0,
    ),
    unsigned: info.when(
      'the domain is not signed (most are not)',
      ({ domain }) => domain === 'insecure',
    ),
    hosts_unsigned: info.when(
      'the domain is signed, but the name of an MX host is not',
      (one) => hostsThatAre(one, 'insecure').length > 0,
    ),
    signed: pass('the domain and its MX hosts are signed'),
  }),
  detail: (one, { names: { fromDomain } }) =>
    Object.entries<Signed>({ [fromDomain ?? '']: one.domain, ...one.hosts })
      .map(([name, signed]) => `${name} is ${IN_WORDS[signed]}`)
      .join('; ')
      .concat('.'),
  evidence: (one, { names: { fromDomain } }) => ({
    domain: fromDomain,
    dnssec: one.domain,
    hosts_bogus: hostsThatAre(one, 'bogus'),
    hosts_insecure: hostsThatAre(one, 'insecure'),
  }),
  fix: 'The DNSSEC signatures of {names} are not valid, so resolvers that check them find no records there.',
  values: (one, { names }) => ({ names: formatList(bogusNames(one, names.fromDomain)) }),
  steps: (one, { names }) => [
    askStep(
      `Compare the DS record of ${formatList(bogusNames(one, names.fromDomain))} at the registrar with the key that the DNS host shows, and check whether the signatures in the zone have expired. Ask the DNS host to sign the zone again, or the registrar to remove the DS record.`,
    ),
  ],
  cause: (one, { names }) => `dnssec:${bogusNames(one, names.fromDomain)[0] ?? ''}`,
});
