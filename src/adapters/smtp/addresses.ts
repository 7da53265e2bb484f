/**
 * Reads the addresses of an SMTP session: its mailboxes, the client that connected or that a relay named, and
 * the address that counts for limits. Also tests whether an address is in a range.
 */

import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { SMTPServerSession } from 'smtp-server';
import type { NamingCommand } from '../../domain/relays.ts';
import type { ClientFacts } from '../../ports/mail.ts';

/** A mailbox in its two parts. The domain is empty for `<postmaster>` and for the null sender. */
export interface EnvelopeAddress {
  readonly localPart: string;
  /** The domain as ASCII in lower case. */
  readonly domain: string;
}

/**
 * Maximum length of an address in octets: a path has 256 octets including its brackets (RFC 5321 §4.5.3.1.3).
 */
const MAX_ADDRESS = 254;

/** Maximum length of a domain name, in octets (RFC 1035 §2.3.4). */
const MAX_NAME = 253;

/** A label of a host name, which may contain underscores: mail servers accept them, and senders use them. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Splits an address as the library passes it on: in one piece, with its domain in Unicode, and otherwise
 * unchecked. Returns `undefined` if the domain is neither a possible name nor an address literal (RFC 5321
 * §4.1.3), for example because it has no ASCII form (RFC 5890 §2.3.2.1), or if the address is too long.
 */
export function toMailbox(address: string): EnvelopeAddress | undefined {
  const at = address.lastIndexOf('@');
  if (at === -1) return { localPart: address, domain: '' };
  const domain = toAscii(address.slice(at + 1));
  const localPart = address.slice(0, at);
  const isLong = Buffer.byteLength(localPart) + 1 + domain.length > MAX_ADDRESS;
  return isLong || !(isName(domain) || isLiteral(domain)) ? undefined : { localPart, domain };
}

const isName = (domain: string): boolean =>
  domain.length <= MAX_NAME && domain.split('.').every((label) => LABEL.test(label));

function isLiteral(domain: string): boolean {
  const inside = /^\[(ipv6:)?([^\]%]+)\]$/.exec(domain);
  if (!inside) return false;
  const [, tag, ip = ''] = inside;
  return tag ? isIPv6(ip) : isIPv4(ip);
}

/** Names in ASCII are not converted, because URL rules would turn some of them into addresses. */
const toAscii = (domain: string) =>
  /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);

/** Returns the canonical text of an IP address. An IPv4 address mapped into IPv6 becomes IPv4 again. */
export function clientAddress(ip: string): string | null {
  if (isIPv4(ip)) return ip;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;
}

/** Returns a function that tells whether an address is in one of the ranges. */
export function inRanges(cidrs: readonly string[]): (ip: string) => boolean {
  if (cidrs.length === 0) return () => false;
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false;
    const address = ipaddr.process(ip);
    return ranges.some(
      ([base, bits]) => address.kind() === base.kind() && address.match(base, bits),
    );
  };
}

/** Matches a HELO name that the report may show. An email address or unprintable text becomes ''. */
const HELO = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

/** A value that a relay states: a text, or `false` if the relay says that it does not know the value. */
type Stated = string | number | false | undefined;

const toIp = (stated: Stated) => (typeof stated === 'string' ? clientAddress(stated) : null);

const toHelo = (stated: Stated) => {
  if (!stated) return null;
  return typeof stated === 'string' && HELO.test(stated) ? stated.toLowerCase() : '';
};

const NOT_OBSERVABLE: ClientFacts['tls'] = {
  status: 'not_observable',
  version: null,
  cipher: null,
};

/** Says whether the peer of a connection may name the client, and describes the connection. */
export interface ClientNaming {
  /** The command that the connected relay may use; null if it is not a relay. */
  readonly command: NamingCommand | null;
  /** True if a proxy named the client before the session began. */
  readonly isProxied: boolean;
  /** The TLS version that was negotiated; null for plaintext. */
  readonly tlsVersion: string | null;
}

/**
 * Returns the client as its session shows it. If a relay names the client, nothing is known about the
 * client's own connection, because only the relay is connected. If an XFORWARD relay names nobody, the sender
 * is unknown. A proxy may terminate TLS itself, so only TLS that was seen here is known.
 */
export function toClientFacts(
  session: SMTPServerSession,
  { command, isProxied, tlsVersion }: ClientNaming,
): ClientFacts {
  const { xClient, xForward, hostNameAppearsAs, tlsOptions } = session;
  if (command === 'xforward') {
    const ip = toIp(xForward.get('ADDR'));
    return {
      ip,
      helo: toHelo(xForward.get('HELO')),
      source: ip === null ? 'unknown' : 'xclient',
      namedBy: 'xforward',
      tls: NOT_OBSERVABLE,
    };
  }
  const helo = toHelo(xClient.get('HELO') || hostNameAppearsAs);
  if (xClient.has('ADDR'))
    return { ip: toIp(xClient.get('ADDR')), helo, source: 'xclient', tls: NOT_OBSERVABLE };
  const ip = clientAddress(session.remoteAddress);
  const tls: ClientFacts['tls'] = tlsOptions
    ? { status: 'tls', version: tlsVersion, cipher: tlsOptions.name }
    : { status: 'plaintext', version: null, cipher: null };
  if (!isProxied) return { ip, helo, source: 'smtp', tls };
  return {
    ip,
    helo,
    source: ip === null ? 'unknown' : 'smtp',
    namedBy: 'proxy',
    tls: tlsOptions ? tls : NOT_OBSERVABLE,
  };
}

/** Returns what a relay said about the client that it named, or `undefined` if it has named none. */
export const namedClient = ({ xClient, xForward }: SMTPServerSession) =>
  [xClient, xForward].find((named) => named.has('ADDR'));

/**
 * Returns the address against whose share a connection counts: the client that a relay named last, or
 * otherwise the client that is connected.
 */
export function accountableAddress(session: SMTPServerSession) {
  const { remoteAddress } = session;
  const stated = namedClient(session);
  return stated ? toIp(stated.get('ADDR')) : clientAddress(remoteAddress);
}
