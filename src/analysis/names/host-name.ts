/** Judges host names and whether the sending address is public, and builds reverse names (PTR). */

import { behindNat64, hexOf, isPublicAddress } from '../addresses.ts';
import type { Facts } from '../facts.ts';
import { type LookupResult, unseen } from '../lookup-result.ts';

/**
 * Returns whether a name can be a mail host's: labels of letters, digits and inner hyphens (RFC 1123 §2.1).
 */
export const isHostName = (name: string): boolean =>
  /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i.test(name) &&
  !/\.\d+$/.test(name);

/** Returns the name that the server gave in HELO, written as in the DNS, or an empty text if it gave none. */
export const heloName = (helo: string | null | undefined): string =>
  helo?.replace(/\.$/, '').toLowerCase() ?? '';

/** Names that are known only within a private network (RFC 6761, RFC 6762). */
const LOCAL = /(?:^|\.)(?:local|localhost|localdomain)$/i;

/** Returns whether others could look up a HELO name. */
export const isPublicHost = (name: string): boolean => {
  const host = name.replace(/\.$/, '');
  return isHostName(host) && !LOCAL.test(host);
};

/**
 * Returns whether records can be published at a domain: a name of several labels that others can look up.
 */
export const isPublicDomain = (name: string): boolean =>
  name.includes('.') && !LOCAL.test(name.replace(/\.$/, '')) && !/\.\d+$|^\[/.test(name);

/**
 * Matches a name that is never in the public DNS, anywhere in a text: those of RFC 6762 and RFC 8375, and
 * others in wide use.
 */
export const INTERNAL_NAME =
  /[a-z0-9-]\.(?:local|localdomain|lan|internal|intranet|corp|home\.arpa)(?:[^a-z0-9.-]|$)/i;

/** Returns the sending IP if others can see it. A private one says nothing about the DNS. */
export const publicIp = (ip: string | null): string | null =>
  ip !== null && isPublicAddress(ip) ? ip : null;

/** Returns a lookup about the sending IP. For a private address, nothing can be known. */
export const ofPublicIp = <T>(
  { connection: { ip } }: Facts,
  lookup: LookupResult<T>,
): LookupResult<T> =>
  ip !== null && publicIp(ip) === null
    ? unseen(`connection: ${whyNotPublic(ip)}, and the public one is not seen`)
    : lookup;

/** Returns why nobody else can reach an address, phrased as the beginning of a sentence. */
export function whyNotPublic(ip: string): string {
  const ipv4 = behindNat64(ip);
  return ipv4 === null
    ? `${ip} is a private address`
    : `${ip} is an address of NAT64, which stands for ${ipv4} inside one network`;
}

/** Returns the labels of an address as in reverse zones and blocklists, or null if it is not an address. */
export function reverseLabels(
  ip: string,
): { readonly version: 4 | 6; readonly labels: string } | null {
  const hex = hexOf(ip);
  if (hex === null) return null;
  if (hex.length === 32) return { version: 6, labels: [...hex].reverse().join('.') };
  const octets = hex.match(/../g)?.map((octet) => Number.parseInt(octet, 16)) ?? [];
  return { version: 4, labels: octets.reverse().join('.') };
}

/** Returns the reverse name of an address (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(ip: string): string | null {
  const reversed = reverseLabels(ip);
  return reversed && `${reversed.labels}.${reversed.version === 4 ? 'in-addr' : 'ip6'}.arpa`;
}
