import { organizationalDomain } from './domain-names.ts';

/** Labels of the reverse name of an IPv4 /24 and of an IPv6 /48, with `in-addr.arpa` or `ip6.arpa`. */
const REVERSE_LABELS = { 'in-addr': 5, ip6: 14 } as const;

/** The part of the DNS above a name that one party answers for; its servers are silent together. */
export function administeredZone(name: string): string {
  const [, tree] = /\.(in-addr|ip6)\.arpa$/.exec(name) ?? [];
  return tree === 'in-addr' || tree === 'ip6'
    ? name.split('.').slice(-REVERSE_LABELS[tree]).join('.')
    : organizationalDomain(name);
}
