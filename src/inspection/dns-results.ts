/**
 * Converts DNS answers to lookup results and error lines, decides which names can be looked up, and looks up
 * the addresses of a name.
 */

import { isSameAddress } from '../analysis/addresses.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';

/**
 * Returns a line of `partial_errors`. It names the DNS record, which is public, but not the address of our
 * resolver.
 */
export const dnsError = (type: string, name: string, error: string): string =>
  `dns: ${type} ${name}: ${error}`;

/** Returns the records of an answer. Missing names and records give an empty list; a failure is unknown. */
export const recordsOf = <R>(
  type: string,
  name: string,
  answer: DnsAnswer<R>,
): LookupResult<readonly R[]> =>
  answer.status === 'failed'
    ? unknown(dnsError(type, name, answer.error))
    : known(answer.status === 'found' ? answer.records : []);

/**
 * Returns whether a name in the envelope can be looked up: not an address or a literal, and more than one
 * label.
 */
export const isDomainName = (name: string): boolean =>
  name.includes('.') && /^[a-z0-9._-]+$/i.test(name) && !/^[\d.]+$/.test(name);

/**
 * Looks up all addresses of a name. If the lookup of one address family fails, the other is enough, unless
 * the failed one is the family of `ip`.
 */
export async function lookUpAddresses(
  resolver: Resolver,
  name: string,
  ip: string | null,
): Promise<LookupResult<readonly string[]>> {
  const [a, aaaa] = await Promise.all([
    resolver.addresses(name, 'A').then((answer) => recordsOf('A', name, answer)),
    resolver.addresses(name, 'AAAA').then((answer) => recordsOf('AAAA', name, answer)),
  ]);
  const all = [a, aaaa].flatMap((lookup) => (lookup.status === 'known' ? lookup.value : []));
  if (ip !== null && all.some((address) => isSameAddress(address, ip))) return known(all);
  const own = ip?.includes(':') ? aaaa : a;
  if (own.status === 'unknown') return own;
  return all.length > 0 || ip !== null || aaaa.status === 'known' ? known(all) : aaaa;
}
