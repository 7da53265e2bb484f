import ipaddr from 'ipaddr.js';

/**
 * In bits, the widest first. One customer has a whole IPv6 /64, often a /48; an IPv4 /26 may be one
 * customer's or many. A provider's part of the Internet is the widest.
 */
const WIDTHS = { ipv4: [21, 26, 32], ipv6: [32, 48, 64] } as const;

/** A client that polls asks for its networks each time. Emptied when it is full. */
const MAX_KNOWN = 5000;
const known = new Map<string, readonly string[]>();

/** The networks of a client, the widest first. All that are not addresses are one: a proxy may write another text each time. */
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
