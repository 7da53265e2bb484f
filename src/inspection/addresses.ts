import { isSameAddress } from '../analysis/addresses.ts';
import { known, type LookupResult } from '../analysis/facts.ts';
import type { Resolver } from '../ports/dns.ts';
import { recordsOf } from './deadlines.ts';

/**
 * All addresses of a name. When one family does not answer, the other is enough unless the one that
 * is silent is `ip`'s own.
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
