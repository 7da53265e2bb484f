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

/**
 * Whether a connection may go there: public unicast only. A tunnel's address (6to4, NAT64, mapped)
 * is refused, since another address hides in it.
 *
 * @param examples documentation ranges too: the connection is made elsewhere
 */
export function isAllowed(address: string, examples: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const isIn = (ranges: ReturnType<typeof toRanges>) =>
    ranges.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  if (isIn(DOCUMENTATION)) return examples;
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (isIn(GLOBAL) && !isIn(SPECIAL));
}
