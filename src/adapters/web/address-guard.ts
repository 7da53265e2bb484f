import ipaddr from 'ipaddr.js';

/** RFC 5737, RFC 3849: what examples are made of. Nothing answers there. */
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map(
  (range) => ipaddr.parseCIDR(range),
);

/**
 * Whether a connection may go there: public unicast only. A tunnel's address (6to4, NAT64, mapped)
 * is refused, since another address hides in it.
 *
 * @param examples documentation ranges too: the connection is made elsewhere
 */
export function isAllowed(address: string, examples: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() === 'unicast') return true;
  return (
    examples &&
    DOCUMENTATION.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    )
  );
}
