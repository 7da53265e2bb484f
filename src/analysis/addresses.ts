import ipaddr from 'ipaddr.js';
import { wordSet } from './syntax/words.ts';

/** What an address of version 4 is made of, in any base: the library finds that out by an exception. */
const MAY_BE_IPV4 = /^\d[\da-fx.]*$/i;

/** Addresses of one mail and a few more. */
const MAX_KNOWN = 500;

const parsed = new Map<string, Address | null>();

type Address = ReturnType<typeof ipaddr.process>;

/** Reads each text once; null: it is not an address. */
function parseAddress(text: string): Address | null {
  if (!text.includes(':') && !MAY_BE_IPV4.test(text)) return null;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
  if (parsed.size >= MAX_KNOWN) parsed.clear();
  parsed.set(text, address);
  return address;
}

/** One spelling for each address, so that two can be compared; `null` when it is not an address. */
export const canonicalIp = (ip: string): string | null => parseAddress(ip)?.toString() ?? null;

export const isAddress = (text: string): boolean => parseAddress(text) !== null;

/**
 * Ranges that nobody beyond one network can reach: an address of NAT64 (`rfc6052`) stands for one of IPv4
 * behind a translator. Documentation ranges are let be: nobody owns them.
 */
const NOWHERE = wordSet(
  'unspecified broadcast multicast loopback linkLocal private uniqueLocal carrierGradeNat rfc6052',
);

/** Whether an address can be reached from elsewhere. */
export const isPublicAddress = (ip: string): boolean => {
  const address = parseAddress(ip);
  return address !== null && !NOWHERE.has(address.range());
};

/** Whether two texts name one address: IPv6 has many spellings of each. */
export const isSameAddress = (one: string, two: string): boolean => {
  const left = canonicalIp(one);
  return left !== null && left === canonicalIp(two);
};

/** `ip` as a DNS client asks for it: 4 bytes or 16 as lower-case hex; `null` when it is not an address. */
export const hexOf = (ip: string): string | null =>
  parseAddress(ip)
    ?.toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('') ?? null;

/** The IPv4 address that one under `64:ff9b::/96` stands for (RFC 6052 §2.1); null: it stands for none. */
export function behindNat64(ip: string): string | null {
  const hex = hexOf(ip);
  if (hex === null || !hex.startsWith('0064ff9b0000000000000000')) return null;
  return Buffer.from(hex.slice(24), 'hex').join('.');
}

/** Ranges of addresses, as `isInRanges` compares them. */
export type Ranges = readonly ReturnType<typeof ipaddr.parseCIDR>[];

export const toRanges = (texts: readonly string[]): Ranges => texts.map(ipaddr.parseCIDR);

/** Whether an address is in one of these ranges. */
export function isInRanges(ip: string, ranges: Ranges): boolean {
  const address = parseAddress(ip);
  return (
    address !== null &&
    ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
  );
}
