import { isSameAddress } from '../analysis/addresses.ts';
import type { ConnectionFacts } from '../analysis/connection/facts.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { reverseName } from '../analysis/names/reverse-name.ts';
import type { Resolver } from '../ports/dns.ts';
import type { ClientFacts } from '../ports/mail.ts';
import { isDomainName, lookUpAddresses, recordsOf } from './dns-results.ts';

/** PTR names that are looked up again: an address with more is a mistake or an attack. */
const MAX_NAMES = 10;

const NO_IP = unknown('connection: the sending IP is not known');

export type ReverseFacts = Pick<ConnectionFacts, 'ptr' | 'forward'>;

/** The PTR names of an address and, for the first ten, their own addresses (RFC 8601 §2.7.3). */
export async function lookUpReverse(resolver: Resolver, ip: string | null): Promise<ReverseFacts> {
  const reverse = ip === null ? null : reverseName(ip);
  if (ip === null || reverse === null) return { ptr: NO_IP, forward: NO_IP };
  const ptr = recordsOf('PTR', reverse, await resolver.names(reverse, 'PTR'));
  if (ptr.status === 'unknown') return { ptr, forward: ptr };

  const names = [...new Set(ptr.value.map((name) => name.toLowerCase()))];
  const lookups = await Promise.all(
    names.slice(0, MAX_NAMES).map(async (name) => ({
      name,
      addresses: await lookUpAddresses(resolver, name, ip),
    })),
  );
  return { ptr: known(names), forward: confirm(lookups, ip) };
}

function confirm(
  lookups: readonly {
    readonly name: string;
    readonly addresses: LookupResult<readonly string[]>;
  }[],
  ip: string,
): ConnectionFacts['forward'] {
  const addresses: Record<string, readonly string[]> = Object.create(null);
  const confirmedNames: string[] = [];
  for (const { name, addresses: all } of lookups) {
    if (all.status === 'unknown') continue;
    addresses[name] = all.value;
    if (all.value.some((address) => isSameAddress(address, ip))) confirmedNames.push(name);
  }
  const confirmed = confirmedNames.length > 0;
  const failed = lookups.find(({ addresses: all }) => all.status === 'unknown')?.addresses;
  if (!confirmed && failed?.status === 'unknown') return failed;
  return known({ addresses: { ...addresses }, confirmed, confirmedNames });
}

/** Addresses of the HELO name; null: it is no host name. */
export async function lookUpHelo(
  resolver: Resolver,
  { helo, ip }: ClientFacts,
): Promise<LookupResult<readonly string[] | null>> {
  const name = helo?.replace(/\.$/, '') ?? '';
  // RFC 5321 §4.1.1.1: a domain, or a literal in brackets.
  if (!isDomainName(name)) return known(null);
  return lookUpAddresses(resolver, name, ip);
}
