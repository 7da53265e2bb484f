import { hexOf } from '../addresses.ts';

/** The labels of an address as reverse zones and block lists spell it; null: it is not an address. */
export function reverseLabels(
  ip: string,
): { readonly version: 4 | 6; readonly labels: string } | null {
  const hex = hexOf(ip);
  if (hex === null) return null;
  if (hex.length === 32) return { version: 6, labels: [...hex].reverse().join('.') };
  const octets = hex.match(/../g)?.map((octet) => Number.parseInt(octet, 16)) ?? [];
  return { version: 4, labels: octets.reverse().join('.') };
}

/** RFC 1035 §3.5, RFC 3596 §2.5. */
export function reverseName(ip: string): string | null {
  const reversed = reverseLabels(ip);
  return reversed && `${reversed.labels}.${reversed.version === 4 ? 'in-addr' : 'ip6'}.arpa`;
}
