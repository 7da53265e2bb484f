import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/** A mailbox in its two parts; the domain is empty for `<postmaster>` and for the null sender. */
export interface Mailbox {
  readonly localPart: string;
  /** ASCII in lower case. */
  readonly domain: string;
}

/** RFC 5321 §4.5.3.1.2, in octets. */
const MAX_DOMAIN = 255;

/**
 * An address as the library hands it over: checked, its domain in Unicode. `undefined` when the
 * domain has no ASCII form (RFC 5890 §2.3.2.1), or one that is too long.
 */
export function toMailbox(address: string): Mailbox | undefined {
  const at = address.lastIndexOf('@');
  if (at === -1) return { localPart: address, domain: '' };
  const domain = toAscii(address.slice(at + 1));
  if (domain === '' || domain.length > MAX_DOMAIN) return undefined;
  return { localPart: address.slice(0, at), domain };
}

/** ASCII names are left alone: URL rules would turn some of them into addresses. */
const toAscii = (domain: string) =>
  /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);

/** The canonical text of an IP address; one mapped into IPv6 becomes IPv4 again. */
export const canonicalIp = (ip: string): string | null =>
  ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;

/** Whether an address is in one of the ranges. */
export function inRanges(cidrs: readonly string[]): (ip: string) => boolean {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false;
    const address = ipaddr.process(ip);
    return ranges.some(
      ([base, bits]) => address.kind() === base.kind() && address.match(base, bits),
    );
  };
}
