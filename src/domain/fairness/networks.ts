/** Finds the networks (address prefixes) that an IP address belongs to, for limits that clients share. */

import ipaddr from 'ipaddr.js';

/**
 * Prefix lengths of networks in bits, the widest network first. One customer usually has an entire IPv6 /64,
 * and often a /48. An IPv4 /26 may belong to one customer or to many. The widest prefix approximates one
 * provider.
 */
const WIDTHS = { ipv4: [21, 26, 32], ipv6: [32, 48, 64] } as const;

/**
 * Maximum number of addresses whose networks are cached, so that they are not calculated again for each poll.
 * The cache is emptied when it is full.
 */
const MAX_KNOWN = 5000;
const known = new Map<string, readonly string[]>();

/**
 * Returns the networks of a client, the widest first. All texts that are not IP addresses count as one
 * network, because a proxy may write a different text each time.
 */
export function networksOf(ip: string | null): readonly string[] {
  const text = ip ?? '';
  const networks = known.get(text) ?? compute(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, networks);
  return networks;
}

function compute(ip: string): readonly string[] {
  if (!ipaddr.isValid(ip)) return ['unknown'];
  const address = ipaddr.process(ip);
  const bytes = address.toByteArray();
  return WIDTHS[address.kind()].map((bits) => {
    const masked = bytes.map(
      (byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * i))),
    );
    return `${ipaddr.fromByteArray(masked)}/${bits}`;
  });
}
