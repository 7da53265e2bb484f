import ipaddr from 'ipaddr.js';
import type { SpfTerm } from './parse.ts';

/** Whether a network holds the sender; bits that were not given are the whole address. */
export type InNetwork = (address: string, bits: number | undefined) => boolean;

/** Networks are compared with one sender (RFC 7208 §5.6); mapped IPv4 is IPv4 (§5). */
export function networkOf(ip: string): {
  readonly family: 'ip4' | 'ip6';
  readonly holds: InNetwork;
} {
  const sender = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  if (sender instanceof ipaddr.IPv4) return { family: 'ip4', holds: inIpv4(sender) };
  if (sender instanceof ipaddr.IPv6) return { family: 'ip6', holds: inIpv6(sender) };
  return { family: 'ip4', holds: () => false };
}

/** Whether a valid `ip4` or `ip6` term holds the sender. */
export function holderOf(ip: string): (term: SpfTerm) => boolean {
  const { family, holds } = networkOf(ip);
  return ({ name, value }) => {
    if (name !== family) return false;
    const [address = '', bits] = value.split('/');
    return holds(address, bits === undefined ? undefined : Number(bits));
  };
}

function inIpv4(sender: ipaddr.IPv4): InNetwork {
  const own = toNumber(sender.toString());
  return (address, bits = 32) => {
    const size = 2 ** (32 - bits);
    return Math.floor(own / size) === Math.floor(toNumber(address) / size);
  };
}

/** Of what is no address there is no number, and nothing is equal to it. */
const toNumber = (quad: string): number =>
  quad.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

const inIpv6 =
  (sender: ipaddr.IPv6): InNetwork =>
  (address, bits = 128) =>
    ipaddr.IPv6.isValid(address) && sender.match(ipaddr.IPv6.parse(address), bits);
