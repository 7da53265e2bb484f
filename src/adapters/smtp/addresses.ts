import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { SMTPServerSession } from 'smtp-server';
import type { ClientFacts } from '../../ports/mail.ts';

/** A mailbox in its two parts; the domain is empty for `<postmaster>` and for the null sender. */
export interface EnvelopeAddress {
  readonly localPart: string;
  /** ASCII in lower case. */
  readonly domain: string;
}

/** RFC 5321 §4.5.3.1.3: a path of 256 octets with its brackets. */
const MAX_ADDRESS = 254;

/** RFC 1035 §2.3.4, in octets. */
const MAX_NAME = 253;

/** A host name's, and with underscores: mail servers take them, and senders use them. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * An address as the library hands it over: in one piece, its domain in Unicode, nothing else
 * checked. `undefined` when the domain is not a possible name, also for want of an ASCII form
 * (RFC 5890 §2.3.2.1), no address literal (RFC 5321 §4.1.3), or when all is too long.
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

/** ASCII names are left alone: URL rules would turn some of them into addresses. */
const toAscii = (domain: string) =>
  /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : domainToASCII(domain);

/** The canonical text of an IP address; one mapped into IPv6 becomes IPv4 again. */
export function clientAddress(ip: string): string | null {
  if (isIPv4(ip)) return ip;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;
}

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

/** A HELO name is shown in the report; an address or unprintable text becomes ''. */
const HELO = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

/**
 * The client as its session shows it. One stated by XCLIENT is another than the one connected:
 * of its own connection nothing is known.
 *
 * @param tlsVersion as negotiated; null: plaintext
 */
export function toClientFacts(session: SMTPServerSession, tlsVersion: string | null): ClientFacts {
  const stated = session.xClient.get('ADDR');
  const helo = session.xClient.get('HELO') || session.hostNameAppearsAs;
  const shown = typeof helo === 'string' && HELO.test(helo) ? helo.toLowerCase() : '';
  const name = helo ? shown : null;
  if (stated !== undefined)
    return {
      ip: typeof stated === 'string' ? clientAddress(stated) : null,
      helo: name,
      source: 'xclient',
      tls: { status: 'not_observable', version: null, cipher: null },
    };
  return {
    ip: clientAddress(session.remoteAddress),
    helo: name,
    source: 'smtp',
    tls: session.tlsOptions
      ? { status: 'tls', version: tlsVersion, cipher: session.tlsOptions.name }
      : { status: 'plaintext', version: null, cipher: null },
  };
}
