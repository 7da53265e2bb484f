import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

const toRanges = (ranges: readonly string[]) => ranges.map((range) => ipaddr.parseCIDR(range));

/** RFC 5737, RFC 3849, RFC 9637: what examples are made of. Nothing answers there. */
const DOCUMENTATION = toRanges([
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
]);

/** RFC 4291 §2.4: what IANA has given to hosts of the Internet; everything else leads elsewhere. */
const GLOBAL = toRanges(['2000::/3']);

/** In it, but special (RFC 6890): protocols, Teredo, ORCHID, 6to4, in which other addresses hide. */
const SPECIAL = toRanges(['2001::/23', '2002::/16']);

/** RFC 6052 §2.1: the prefix that every network may use for its NAT64. */
const WELL_KNOWN = ['64:ff9b::/96'];

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

const contains =
  (address: Address) =>
  ([network, bits]: Range) =>
    network.kind() === address.kind() && address.match(network, bits);

/** The IPv4 address in one of NAT64 (RFC 6052 §2.2): behind the prefix, but for the ninth octet. */
const embedded = (address: Address, [, bits]: Range) =>
  ipaddr.fromByteArray(
    address
      .toByteArray()
      .filter((_, i) => i >= bits / 8 && i !== 8)
      .slice(0, 4),
  );

/**
 * The addresses that a connection may go to: public unicast only. One that hides another (6to4, Teredo,
 * mapped) is refused; one of NAT64 leads where the IPv4 address in it does.
 *
 * @param nat64Prefixes ranges of a NAT64 of this network
 * @param examples documentation ranges too: the connection is made elsewhere
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

/** Whether an address, in its canonical text, is of this machine. */
export const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
