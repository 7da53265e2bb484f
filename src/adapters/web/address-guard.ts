/**
 * Decides which addresses the service may connect to on behalf of a sender (only public ones), and recognizes
 * the addresses of this machine.
 */

import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

const toRanges = (ranges: readonly string[]) => ranges.map((range) => ipaddr.parseCIDR(range));

/** Addresses for documentation (RFC 5737, RFC 3849, RFC 9637). Nothing responds there. */
const DOCUMENTATION = toRanges([
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
]);

/**
 * The IPv6 addresses that IANA has allocated to hosts on the Internet (RFC 3587 §3). No other IPv6 address is
 * a public host.
 */
const GLOBAL = toRanges(['2000::/3']);

/**
 * Special ranges within the allocated addresses (RFC 6890): protocols, Teredo, ORCHID and 6to4, in which
 * other addresses hide.
 */
const SPECIAL = toRanges(['2001::/23', '2002::/16']);

/** The NAT64 prefix that every network may use (RFC 6052 §2.1). */
const WELL_KNOWN = ['64:ff9b::/96'];

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

const contains =
  (address: Address) =>
  ([network, bits]: Range) =>
    network.kind() === address.kind() && address.match(network, bits);

/**
 * Returns the IPv4 address inside a NAT64 address: it follows the prefix, without the ninth octet (RFC 6052
 * §2.2).
 */
const embedded = (address: Address, [, bits]: Range) =>
  ipaddr.fromByteArray(
    address
      .toByteArray()
      .filter((_, i) => i >= bits / 8 && i !== 8)
      .slice(0, 4),
  );

/**
 * Decides which addresses a connection may go to: only public unicast addresses. An address that hides
 * another (6to4, Teredo, mapped) is refused. A NAT64 address leads to the IPv4 address inside it.
 *
 * @param nat64Prefixes the NAT64 prefixes of this network
 * @param examples also allows documentation ranges, because the connection is made elsewhere
 */
export function createAddressGuard(nat64Prefixes: readonly string[] = [], examples = false) {
  const nat64 = toRanges([...WELL_KNOWN, ...nat64Prefixes]);

  function isPublic(address: Address): boolean {
    const isIn = contains(address);
    const gateway = nat64.find(isIn);
    if (gateway) return isPublic(embedded(address, gateway));
    if (DOCUMENTATION.some(isIn)) return examples;
    if (address.range() !== 'unicast') return false;
    return address.kind() === 'ipv4' || (GLOBAL.some(isIn) && !SPECIAL.some(isIn));
  }

  return (text: string): boolean => ipaddr.isValid(text) && isPublic(ipaddr.parse(text));
}

/** Returns whether an address, in canonical form, belongs to this machine. */
export const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
