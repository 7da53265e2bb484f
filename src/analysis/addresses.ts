/**
 * Parses and compares IP addresses, extracts the IPv4 address inside a NAT64 or 6to4 address, and tests
 * whether an address is public or in given ranges.
 */

import ipaddr from 'ipaddr.js';
import { wordSet } from './syntax/words.ts';

/**
 * Matches only the characters that can occur in an IPv4 address in any base. The pattern is tested before the
 * address is parsed, because the parser throws internally on any other text.
 */
const MAY_BE_IPV4 = /^\d[\da-fx.]*$/i;

/**
 * Maximum number of parsed texts that are remembered: enough for the addresses of one email, and a few more.
 */
const MAX_KNOWN = 500;

const parsed = new Map<string, Address | null>();

type Address = ReturnType<typeof ipaddr.process>;

/** Parses an address and remembers the result. Returns `null` if the text is not an address. */
function parseAddress(text: string): Address | null {
  if (!text.includes(':') && !MAY_BE_IPV4.test(text)) return null;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
  if (parsed.size >= MAX_KNOWN) parsed.clear();
  parsed.set(text, address);
  return address;
}

/**
 * Returns an address in its canonical spelling, or `null` if the text is not an address. An IPv4-mapped IPv6
 * address becomes the IPv4 address.
 */
export const canonicalIp = (ip: string): string | null => parseAddress(ip)?.toString() ?? null;

export const isAddress = (text: string): boolean => parseAddress(text) !== null;

/**
 * Kinds of address ranges that cannot be reached from other networks. A NAT64 address (`rfc6052`) stands for
 * an IPv4 address behind a translator. Documentation ranges are not included, because nobody owns them.
 */
const NOWHERE = wordSet(
  'unspecified broadcast multicast loopback linkLocal private uniqueLocal carrierGradeNat rfc6052',
);

/** Returns whether an address can be reached from other networks. */
export const isPublicAddress = (ip: string): boolean => {
  const address = parseAddress(ip);
  return address !== null && !NOWHERE.has(address.range());
};

/**
 * Returns whether two texts are spellings of the same address. An IPv6 address can be spelled in many ways.
 */
export const isSameAddress = (one: string, two: string): boolean => {
  const left = canonicalIp(one);
  return left !== null && left === canonicalIp(two);
};

/**
 * Returns an address as a DNS client sends it, as 4 or 16 bytes in lower-case hex, or `null` if the text is
 * not an address.
 */
export const hexOf = (ip: string): string | null =>
  parseAddress(ip)
    ?.toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('') ?? null;

/**
 * Returns the IPv4 address embedded in a NAT64 address (`64:ff9b::/96`), or `null` if the address is not one
 * (RFC 6052 §2.1).
 */
export function behindNat64(ip: string): string | null {
  const hex = hexOf(ip);
  if (hex === null || !hex.startsWith('0064ff9b0000000000000000')) return null;
  return Buffer.from(hex.slice(24), 'hex').join('.');
}

/**
 * Returns the IPv4 address embedded in a 6to4 address (`2002::/16`, RFC 3056), or `null` if the address is
 * not one.
 */
export function inside6to4(ip: string): string | null {
  const hex = hexOf(ip);
  return hex?.length === 32 && hex.startsWith('2002')
    ? Buffer.from(hex.slice(4, 12), 'hex').join('.')
    : null;
}

/** Address ranges, parsed in advance for `isInRanges`. */
export type Ranges = readonly ReturnType<typeof ipaddr.parseCIDR>[];

export const toRanges = (texts: readonly string[]): Ranges => texts.map(ipaddr.parseCIDR);

/** Returns whether an address is in one of the given ranges. */
export function isInRanges(ip: string, ranges: Ranges): boolean {
  const address = parseAddress(ip);
  return (
    address !== null &&
    ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
  );
}
