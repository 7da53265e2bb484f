import ipaddr from 'ipaddr.js';
import type { SpfTerm } from './parse.ts';

/** Whether a valid `ip4` or `ip6` term holds the sender; null: the text does not tell. */
export type HoldsSender = (term: SpfTerm) => boolean | null;

/** Networks are compared with one sender (RFC 7208 §5.6); mapped IPv4 is IPv4 (§5). */
export function holderOf(ip: string): HoldsSender {
  if (!ipaddr.isValid(ip)) return () => null;
  const sender = ipaddr.process(ip);
  const family = sender instanceof ipaddr.IPv4 ? 'ip4' : 'ip6';
  const holds = sender instanceof ipaddr.IPv4 ? inIpv4(sender) : inIpv6(sender);
  return ({ name, value }) => {
    if (name !== family) return false;
    const [address = '', prefix] = value.split('/');
    return holds(address, prefix);
  };
}

type Holds = (address: string, prefix: string | undefined) => boolean | null;

function inIpv4(sender: ipaddr.IPv4): Holds {
  const own = toNumber(sender.toString());
  return (address, prefix) => {
    const size = 2 ** (32 - Number(prefix ?? 32));
    return Math.floor(own / size) === Math.floor(toNumber(address) / size);
  };
}

const toNumber = (quad: string): number =>
  quad.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

/** IPv4 at the end of IPv6 is read in more than one way, and left to the evaluation. */
const inIpv6 =
  (sender: ipaddr.IPv6): Holds =>
  (address, prefix) =>
    address.includes('.') ? null : sender.match(ipaddr.IPv6.parse(address), Number(prefix ?? 128));
