import ipaddr from 'ipaddr.js';
import type { SpfTerm } from './parse.ts';

/** Whether a valid `ip4` or `ip6` term holds an address (RFC 7208 §5.6); mapped IPv4 is IPv4 (§5). */
export function holderOf(ip: string): (term: SpfTerm) => boolean {
  const sender = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  const family = sender?.kind() === 'ipv6' ? 'ip6' : 'ip4';
  return ({ kind, name, value }) => {
    if (sender === undefined || kind !== 'mechanism' || name !== family) return false;
    const [address = '', bits = sender.toByteArray().length * 8] = value.split('/');
    return ipaddr.isValid(address) && sender.match(ipaddr.parse(address), Number(bits));
  };
}
