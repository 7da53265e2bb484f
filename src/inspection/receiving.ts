/**
 * Looks up how other servers reach a domain: DNSSEC and TLSA for its mail hosts, and IPv6 for its name
 * servers.
 */

import { known, type LookupResult, mapLookup, unknown, unseen } from '../analysis/lookup-result.ts';
import type { ReceivingFacts, Signed } from '../analysis/receiving/facts.ts';
import type { DnsAnswer, Resolver, TlsaRecord } from '../ports/dns.ts';
import { dnsError, recordsOf } from './dns-results.ts';
import { type FromDomainFacts, hostsOf } from './mail-hosts.ts';

/** The result if it is not known that the DNS server validates DNSSEC. */
const NOT_VALIDATED = unseen('dnssec: the DNS server is not known to check signatures');

/** Returns the facts about mail hosts if nothing is known about them. */
export const noReceivingFacts = (dnssec: ReceivingFacts['dnssec']): ReceivingFacts => ({
  dnssec,
  tlsa: {},
  nameServers: {},
});

/**
 * Finds out how other servers reach the domain. The MX and address records are those that were looked up
 * anyway. TLSA is looked up only where senders look for it.
 */
export async function lookUpReceiving(
  resolver: Resolver,
  domain: string | null,
  about: {
    readonly from: Promise<FromDomainFacts>;
    readonly nameServers: Promise<readonly string[]>;
  },
): Promise<ReceivingFacts> {
  if (domain === null) return noReceivingFacts(unknown('headers: no usable From'));
  const [proofs, nameServers] = await Promise.all([
    lookUpProofs(resolver, domain, about.from),
    about.nameServers.then((names) => lookUpIpv6(resolver, names)),
  ]);
  return { ...proofs, nameServers };
}

async function lookUpProofs(
  resolver: Resolver,
  domain: string,
  from: Promise<FromDomainFacts>,
): Promise<Omit<ReceivingFacts, 'nameServers'>> {
  const mx = await resolver.mx(domain);
  const signed = signedOf([mx]);
  if (signed === null) {
    const dnssec =
      mx.status === 'failed' ? unknown(dnsError('MX', domain, mx.error)) : NOT_VALIDATED;
    return { dnssec, tlsa: {} };
  }
  const { fromMx } = await from;
  const hosts = await Promise.all(
    hostsOf(domain, fromMx).map(async (host) => {
      const answers = await Promise.all([
        resolver.addresses(host, 'A'),
        resolver.addresses(host, 'AAAA'),
      ]);
      const aliases = answers.flatMap((answer) =>
        answer.status === 'failed' ? [] : answer.cnames.slice(-1),
      );
      const ofHost = signedOf(answers);
      // If DNSSEC does not prove the MX record, a TLSA record means nothing (RFC 7672 §2.2).
      const isProved = signed === 'secure' && ofHost === 'secure';
      const isThere = answers.some(({ status }) => status === 'found');
      const tlsa = isProved && isThere ? await lookUpTlsa(resolver, [...aliases, host]) : null;
      return { host, signed: ofHost, tlsa };
    }),
  );
  return {
    dnssec: known({
      domain: signed,
      hosts: Object.fromEntries(
        hosts.flatMap(({ host, signed: ofHost }) => (ofHost ? [[host, ofHost]] : [])),
      ),
    }),
    tlsa: Object.fromEntries(hosts.flatMap(({ host, tlsa }) => (tlsa ? [[host, tlsa]] : []))),
  };
}

/**
 * Looks up the TLSA records of a host: first at the end of an alias that DNSSEC proves, then at the name in
 * the MX record (RFC 7672 §2.1.3, §2.2.3).
 */
async function lookUpTlsa(
  resolver: Resolver,
  hosts: readonly string[],
): Promise<LookupResult<readonly TlsaRecord[]>> {
  const [host = '', ...others] = new Set(hosts);
  const name = `_25._tcp.${host}`;
  // The queried type decides the shape of the data.
  const answer = (await resolver.ask(name, 'TLSA')) as DnsAnswer<TlsaRecord>;
  const isAbsent = answer.status === 'nxdomain' || answer.status === 'nodata';
  if (isAbsent && others.length > 0) return lookUpTlsa(resolver, others);
  // A record that DNSSEC does not prove counts as absent.
  const isProved = answer.status === 'failed' || answer.secure === true;
  return isProved ? recordsOf('TLSA', name, answer) : known([]);
}

/** Returns what DNSSEC says about the answers, or null if that is unknown. */
function signedOf(answers: readonly DnsAnswer<unknown>[]): Signed | null {
  if (answers.some((one) => one.status === 'failed' && one.error === 'BOGUS')) return 'bogus';
  const said = answers.map((one) => (one.status === 'failed' ? undefined : one.secure));
  if (said.includes(undefined)) return null;
  return said.includes(false) ? 'insecure' : 'secure';
}

async function lookUpIpv6(
  resolver: Resolver,
  names: readonly string[],
): Promise<ReceivingFacts['nameServers']> {
  const lookups = await Promise.all(
    names.map(async (name) => {
      const answer = await resolver.addresses(name, 'AAAA');
      return [name, mapLookup(recordsOf('AAAA', name, answer), ({ length }) => length > 0)];
    }),
  );
  return Object.fromEntries(lookups);
}
