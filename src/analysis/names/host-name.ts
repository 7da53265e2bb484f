/**
 * Judges whether host names are valid, and whether names and addresses are public, and builds reverse names
 * (PTR).
 */

import { behindNat64, hexOf, isPublicAddress } from '../addresses.ts';
import type { Facts } from '../facts.ts';
import { type LookupResult, unseen } from '../lookup-result.ts';

/**
 * Returns whether a name is valid for a mail host. Its labels must consist of letters, digits and inner
 * hyphens (RFC 1123 §2.1).
 */
export const isHostName = (name: string): boolean =>
  /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i.test(name) &&
  !/\.\d+$/.test(name);

/** Returns the HELO name as it is written in the DNS, or an empty text if the server gave none. */
export const heloName = (helo: string | null | undefined): string =>
  helo?.replace(/\.$/, '').toLowerCase() ?? '';

/** Matches names that are known only within a private network (RFC 6761, RFC 6762). */
const LOCAL = /(?:^|\.)(?:local|localhost|localdomain)$/i;

/** Returns whether others can look up a host name in the public DNS. */
export const isPublicHost = (name: string): boolean => {
  const host = name.replace(/\.$/, '');
  return isHostName(host) && !LOCAL.test(host);
};

/**
 * Matches names that do not exist on the public Internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's
 * .internal).
 */
export const NOWHERE =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa|onion|alt|test|invalid)$/i;

/**
 * Matches names that are reserved for examples (RFC 2606, RFC 6761). No host has such a name, except in a
 * test.
 */
export const EXAMPLE = /(?:^|\.)example(?:\.(?:com|net|org))?$/i;

/**
 * Returns whether records can be published at a domain. It must have several labels, and others must be able
 * to look it up.
 */
export const isPublicDomain = (name: string): boolean =>
  name.includes('.') &&
  !NOWHERE.test(name.replace(/\.$/, '')) &&
  !/\.\d+$|^\[|\.\.|[<>]/.test(name);

/** Returns whether a name serves a single purpose, such as `_dmarc` or that of a DKIM key. */
export const isPurpose = (name: string): boolean => name.startsWith('_') || name.includes('._');

/**
 * Matches, anywhere in a text, a name that is never in the public DNS. These names come from RFC 6762 and RFC
 * 8375, or are in wide use.
 */
export const INTERNAL_NAME =
  /[a-z0-9-]\.(?:local|localdomain|lan|internal|intranet|corp|home\.arpa)(?:[^a-z0-9.-]|$)/i;

/** Returns the sending IP if it is public. A private address says nothing about the DNS. */
export const publicIp = (ip: string | null): string | null =>
  ip !== null && isPublicAddress(ip) ? ip : null;

/** Returns a lookup about the sending IP. For a private address, the result is unknown. */
export const ofPublicIp = <T>(
  { connection: { ip } }: Facts,
  lookup: LookupResult<T>,
): LookupResult<T> =>
  ip !== null && publicIp(ip) === null
    ? unseen(`connection: ${whyNotPublic(ip)}, and the public address is not known`)
    : lookup;

/**
 * Returns the reason why an address cannot be reached from outside its network, phrased as the beginning of a
 * sentence.
 */
export function whyNotPublic(ip: string): string {
  const ipv4 = behindNat64(ip);
  return ipv4 === null
    ? `${ip} is a private address`
    : `${ip} is a NAT64 address, which represents ${ipv4} inside one network`;
}

/**
 * Returns the labels of an address in the order that reverse zones and blocklists use, or null if it is not
 * an address.
 */
export function reverseLabels(
  ip: string,
): { readonly version: 4 | 6; readonly labels: string } | null {
  const hex = hexOf(ip);
  if (hex === null) return null;
  if (hex.length === 32) return { version: 6, labels: [...hex].reverse().join('.') };
  const octets = hex.match(/../g)?.map((octet) => Number.parseInt(octet, 16)) ?? [];
  return { version: 4, labels: octets.reverse().join('.') };
}

/**
 * Returns the reverse name of an address (RFC 1035 §3.5, RFC 3596 §2.5), or null if it is not an address.
 */
export function reverseName(ip: string): string | null {
  const reversed = reverseLabels(ip);
  return reversed && `${reversed.labels}.${reversed.version === 4 ? 'in-addr' : 'ip6'}.arpa`;
}
