/**
 * Looks up whether a domain exists, which hosts receive its email, their addresses, and the intended host if
 * a domain was appended to a name by mistake.
 */

import { isAddress } from '../analysis/addresses.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { mailHostsOf } from '../analysis/names/domain-names.ts';
import type { MailHosts, Names } from '../analysis/names/facts.ts';
import type { DnsAnswer, MxRecord, Resolver } from '../ports/dns.ts';
import { withoutZones, zonesAbove } from './dns-names.ts';
import { dnsError, recordsOf } from './dns-results.ts';

/**
 * Maximum number of MX hosts per domain that are looked up. A domain with more hosts can be reached through
 * the first ones.
 */
const MAX_HOSTS = 10;

type MxHosts = Names['mxHosts'];

/** Returns the mail hosts of a domain that will be looked up: names, not addresses, and only the first ones. */
export function hostsOf(
  domain: string,
  mailHosts: LookupResult<MailHosts> | null,
): readonly string[] {
  const hosts = mailHosts?.status === 'known' ? mailHostsOf(domain, mailHosts.value) : [];
  return [...new Set(hosts)].slice(0, MAX_HOSTS).filter((host) => !isAddress(host));
}

/** Looks up the addresses of a domain's mail hosts in parallel. */
export async function lookUpMxHosts(
  resolver: Resolver,
  domain: string,
  mailHosts: LookupResult<MailHosts> | null,
): Promise<MxHosts> {
  const lookups = await Promise.all(
    hostsOf(domain, mailHosts).map(
      async (host) => [host, await lookUpMxHost(resolver, host, domain)] as const,
    ),
  );
  return Object.fromEntries(lookups);
}

async function lookUpMxHost(
  resolver: Resolver,
  host: string,
  domain: string,
): Promise<MxHosts[string]> {
  const answers = await Promise.all([
    resolver.addresses(host, 'A'),
    resolver.addresses(host, 'AAAA'),
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === 'found' ? answer.records : []));
  const failed = answers.find((answer) => answer.status === 'failed');
  // A host is reachable if one address family is.
  const unanswered =
    failed?.status === 'failed' ? dnsError('address', host, failed.error) : undefined;
  if (addresses.length === 0 && unanswered !== undefined) return unknown(unanswered);
  const cnames = answers.flatMap((answer) => (answer.status === 'failed' ? [] : answer.cnames));
  const alias = cnames.at(-1) ?? null;
  const intended = addresses.length === 0 ? await intendedHost(resolver, host, domain) : undefined;
  return known({
    addresses,
    alias,
    ...(intended !== undefined && { intended }),
    ...(unanswered !== undefined && { unanswered }),
  });
}

/**
 * Returns the host name without the domain, or a domain above it, that was appended by mistake, if the
 * shorter name has an address.
 */
async function intendedHost(
  resolver: Resolver,
  host: string,
  domain: string,
): Promise<string | undefined> {
  for (const bare of withoutZones(host, [domain, ...zonesAbove(domain)]))
    if ((await resolver.addresses(bare, 'A')).status === 'found') return bare;
  return undefined;
}

export type FromDomainFacts = Pick<Names, 'fromDomainExists' | 'fromMx'>;

/** Finds out whether the From domain exists, and which hosts receive its email. */
export async function lookUpFromDomain(
  resolver: Resolver,
  domain: string | null,
): Promise<FromDomainFacts> {
  if (domain === null) {
    const noFrom = unknown('headers: no usable From');
    return { fromDomainExists: noFrom, fromMx: noFrom };
  }
  const answers = await askForMailHosts(resolver, domain);
  return {
    fromDomainExists: judgeExistence(domain, answers),
    fromMx: judgeMx(domain, answers),
  };
}

/** Finds out which hosts receive email for a domain. */
export const lookUpMailHosts = async (
  resolver: Resolver,
  domain: string,
): Promise<LookupResult<MailHosts>> => judgeMx(domain, await askForMailHosts(resolver, domain));

type Answers = readonly [DnsAnswer<MxRecord>, DnsAnswer<string>, DnsAnswer<string>];

const askForMailHosts = (resolver: Resolver, domain: string): Promise<Answers> =>
  Promise.all([
    resolver.mx(domain),
    resolver.addresses(domain, 'A'),
    resolver.addresses(domain, 'AAAA'),
  ]);

/** Judges whether a name exists. Only NXDOMAIN means that it does not (RFC 9989 §A.4). */
function judgeExistence(
  domain: string,
  answers: readonly DnsAnswer<unknown>[],
): LookupResult<boolean> {
  const answered = answers.find(({ status }) => status !== 'failed');
  if (answered && answered.status !== 'failed')
    // If there is a CNAME, only its target does not exist (RFC 6604 §3).
    return known(answered.status !== 'nxdomain' || answered.cnames.length > 0);
  const failed = answers.find((answer) => answer.status === 'failed');
  return unknown(dnsError('MX', domain, failed?.error ?? 'TIMEOUT'));
}

function judgeMx(domain: string, [answer, ...addresses]: Answers): LookupResult<MailHosts> {
  const lookup = recordsOf('MX', domain, answer);
  if (lookup.status === 'unknown') return lookup;
  const hasAddress = addresses.some(({ status }) => status === 'found');
  const failed = addresses.find((address) => address.status === 'failed');
  // Without an MX, the address is used (RFC 5321 §5.1), so the result depends on whether there is an address.
  if (lookup.value.length === 0 && !hasAddress && failed)
    return unknown(dnsError('address', domain, failed.error));
  const sorted = [...lookup.value]
    .sort((one, other) => one.preference - other.preference)
    .map(({ preference, exchange }) => ({
      preference,
      host: exchange.toLowerCase().replace(/\.$/, ''),
    }));
  const hosts = sorted.map(({ host }) => host);
  const records = sorted.map(({ preference, host }) => `${preference} ${host || '.'}`);
  // A null MX is a single MX record whose host is the root (RFC 7505 §3).
  const nullMx = hosts.length === 1 && hosts[0] === '';
  return known({ mx: hosts.filter((host) => host !== ''), nullMx, hasAddress, records });
}
