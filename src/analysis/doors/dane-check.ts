import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { ifKnown, known, type LookupResult } from '../lookup-result.ts';
import { formatTlsa, tlsaFault, tlsaStep } from './tlsa.ts';

interface Host {
  readonly host: string;
  readonly usable: number;
  /** Of records that no sender can use. */
  readonly faults: readonly string[];
  readonly records: readonly string[];
}

interface Dane {
  readonly hosts: readonly Host[];
}

/** Left out where DNSSEC does not prove the MX and the addresses of a host: senders do not ask then. */
function judgeHosts({ doors }: Facts): LookupResult<Dane> | undefined {
  const lookups = Object.entries(doors.tlsa);
  if (ifKnown(doors.dnssec)?.domain !== 'secure' || lookups.length === 0) return undefined;
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

/** The hosts that a fix is about. */
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
    what: 'DANE names the key of your mail server in a TLSA record, which DNSSEC protects.',
    why: 'Senders that know DANE then give your mail to no other server, and never without encryption. It protects what others send to you.',
    how: [
      'Have the domain and the name of its mail server signed with DNSSEC.',
      'Publish a TLSA record with the hash of the server’s public key for each MX host.',
      'Keep that key when the certificate is renewed, or publish the next one’s hash beside it first.',
    ],
    bad: '_25._tcp.mail.example.com  TLSA  1 0 1 (a usage that mail does not take)',
    good: '_25._tcp.mail.example.com  TLSA  3 1 1 (SHA-256 of the public key)',
  },
  subject: judgeHosts,
  states: ({ warn, suggest, info, pass }) => ({
    unusable: warn(0).when(
      'an MX host with TLSA records of which none can be used: usage other than 2 and 3, unknown selector or matching type, a hash of another length',
      ({ hosts }) => hosts.some(isFaulty),
    ),
    partial: suggest.when(
      'usable TLSA for some of the signed MX hosts only: who wants to listen picks another',
      ({ hosts }) => hosts.some(isProtected) && !hosts.every(isProtected),
    ),
    absent: info.when(
      'no TLSA records, as most have none',
      ({ hosts }) => !hosts.some(isProtected),
    ),
    protected: pass('usable TLSA for each signed MX host'),
  }),
  detail: ({ hosts }) =>
    hosts
      .map(({ host, usable, faults }) =>
        [`_25._tcp.${host}: ${usable} usable TLSA`, ...faults].join(', '),
      )
      .join('; ')
      .concat('.'),
  evidence: ({ hosts }) => ({
    protected: namesOf(hosts.filter(isProtected)),
    unprotected: namesOf(hosts.filter((one) => !isProtected(one))),
    unusable: hosts.flatMap(({ faults }) => faults),
  }),
  fixes: {
    fix: { why: 'No sender can use the TLSA records of {hosts}.' },
    partial: { why: 'Some of your mail hosts have a TLSA record, and {hosts} has none.' },
  },
  cases: ({ hosts }) => (hosts.some(isFaulty) ? [] : ['partial']),
  values: (one) => ({ hosts: formatList(namesOf(toFixIn(one))) }),
  steps: (one, facts) => toFixIn(one).map(({ host, records }) => tlsaStep(host, records, facts)),
});
