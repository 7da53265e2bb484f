/**
 * Defines the kinds of settings that name other machines: address ranges, resolvers and nats-servers.
 */

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { orNull } from './key-pair.ts';
import { listOf, textKind } from './value-parsers.ts';

/** The fewest bits in the prefix of a range: no network is wider than 10.0.0.0/8 or fc00::/7. */
const LEAST_BITS = { ipv4: 8, ipv6: 7 } as const;

/**
 * Returns whether a text is an address range that can be somebody's own. The library also reads 10/8 as
 * 0.0.0.10/8, and 010.0.0.0/8 as 8.0.0.0/8. A range of IPv4 that is written as IPv6 contains no peer of SMTP,
 * because addresses are compared in their IPv4 form.
 */
function isCidr(item: string): boolean {
  if (isIP(item.split('/')[0] ?? '') === 0 || !ipaddr.isValidCIDR(item)) return false;
  const [base, bits] = ipaddr.parseCIDR(item);
  const isMapped = 'isIPv4MappedAddress' in base && base.isIPv4MappedAddress();
  return bits >= LEAST_BITS[base.kind()] && !isMapped;
}

export const cidrs = listOf(
  'address ranges such as 192.0.2.0/24, none wider than a /8 (IPv6: a /7)',
  isCidr,
);

/** The allowed lengths of a NAT64 prefix in bits (RFC 6052 §2.2). */
const NAT64_BITS = [32, 40, 48, 56, 64, 96];

export const nat64Prefixes = listOf(
  'NAT64 prefixes such as 2001:db8:64::/96, with a length of 32, 40, 48, 56, 64 or 96 bits',
  (item) => isCidr(item) && item.includes(':') && NAT64_BITS.includes(Number(item.split('/')[1])),
);

export const proxies = listOf(
  'addresses or ranges of proxies such as 192.0.2.1 or 10.0.0.0/8, none wider than a /8 (IPv6: a /7)',
  (item) => isIP(item) !== 0 || isCidr(item),
);

const isPort = (port: string | undefined) =>
  port === undefined || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535);

/** DNS resolvers, each written as `ip`, `ip:port` or `[ipv6]:port`. */
export const resolvers = listOf(
  'addresses of resolvers such as 127.0.0.1:53 or [::1]:53',
  (item) => {
    // This is an address without a port, but was meant to be one with a port.
    if (/^::1:\d+$/.test(item)) return false;
    const [, v6, v4 = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(item) ?? [];
    return (
      isIP(item) === 6 || (isPort(port) && (v6 === undefined ? isIP(v4) === 4 : isIP(v6) === 6))
    );
  },
);

/**
 * NATS servers, each written as `nats://host:port` or without the scheme. Credentials may precede the host.
 */
export const natsServers = textKind(
  'addresses of nats-servers such as nats://10.0.0.1:4222, separated by commas, with %25 for a % in a password',
  (value) =>
    value.split(',').every((item) => {
      const url = item.includes('://') ? item.trim() : `nats://${item.trim()}`;
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      return (
        parsed !== undefined &&
        /^(nats|tls):$/.test(parsed.protocol) &&
        parsed.hostname !== '' &&
        orNull(() => decodeURIComponent(parsed.username + parsed.password)) !== null
      );
    }),
);
