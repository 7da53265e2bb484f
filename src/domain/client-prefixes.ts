import ipaddr from 'ipaddr.js';

/** A network that a client is counted in. */
export interface ClientPrefix {
  readonly key: string;
  /** How many times the limit of one client this network may use. */
  readonly share: number;
}

/**
 * Narrowest first. One customer has a whole IPv6 /64, often a /56 or /48; an IPv4 /24 may be one
 * customer's or many, so it only limits more softly.
 */
const LEVELS = {
  ipv4: [
    { bits: 32, share: 1 },
    { bits: 24, share: 4 },
  ],
  ipv6: [
    { bits: 64, share: 1 },
    { bits: 56, share: 2 },
    { bits: 48, share: 4 },
  ],
} as const;

type Prefixes = readonly [ClientPrefix, ...ClientPrefix[]];

/** A client that polls asks for its networks each time. Emptied when it is full. */
const MAX_KNOWN = 5000;
const known = new Map<string, Prefixes>();

/** The networks of an address, narrowest first. A text that is not an address counts by itself. */
export function clientPrefixesOf(ip: string): Prefixes {
  const prefixes = known.get(ip) ?? computePrefixes(ip);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(ip, prefixes);
  return prefixes;
}

function computePrefixes(ip: string): Prefixes {
  if (!ipaddr.isValid(ip)) return [{ key: ip, share: 1 }];
  const address = ipaddr.process(ip);
  const bytes = address.toByteArray();
  const [first, ...wider] = LEVELS[address.kind()].map(({ bits, share }) => ({
    key: `${ipaddr.fromByteArray(bytes.map((byte, i) => (i < bits / 8 ? byte : 0)))}/${bits}`,
    share,
  }));
  return first ? [first, ...wider] : [{ key: ip, share: 1 }];
}

/** The widest network first: whose turn it is, then whose turn within it. */
export const turnPath = (ip: string | null): readonly string[] =>
  ip === null
    ? ['unknown']
    : clientPrefixesOf(ip)
        .map(({ key }) => key)
        .toReversed();

/** Counts what clients hold at a time. */
export function createClientCounts(limit: number) {
  const counts = new Map<string, number>();
  const change = (ip: string, by: number) => {
    for (const { key } of clientPrefixesOf(ip)) {
      const count = (counts.get(key) ?? 0) + by;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    }
  };
  return {
    isFull: (ip: string) =>
      clientPrefixesOf(ip).some(({ key, share }) => (counts.get(key) ?? 0) >= limit * share),
    add: (ip: string) => change(ip, 1),
    remove: (ip: string) => change(ip, -1),
  };
}
