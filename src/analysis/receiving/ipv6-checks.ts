/** The checks of whether MX hosts and name servers can be reached over IPv6. */

import { isPublicAddress } from '../addresses.ts';
import { askStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { entryOf, ifKnown, known, type LookupResult, unknown } from '../lookup-result.ts';
import { mailHostsOf, ofReceiver } from '../names/domain-names.ts';

/** Hosts of one kind, by the address families that they have. */
interface Reach {
  readonly ipv6: readonly string[];
  readonly ipv4: readonly string[];
}

const isIpv6 = (address: string) => address.includes(':');

/**
 * Returns the address families of the MX hosts. Does not apply if no host can be reached at all, which
 * `from_domain_mx` reports.
 */
function reachOfMx({ names }: Facts): LookupResult<Reach> | undefined {
  const fromMx = ifKnown(names.fromMx);
  const hosts = fromMx ? mailHostsOf(names.fromDomain ?? '', fromMx) : [];
  const lookups = hosts.flatMap((host) => entryOf(names.mxHosts, host) ?? []);
  const withFamily = (isOne: (address: string) => boolean) =>
    hosts.filter((host) => {
      const lookup = entryOf(names.mxHosts, host);
      const addresses = lookup ? (ifKnown(lookup)?.addresses ?? []) : [];
      return addresses.some((address) => isPublicAddress(address) && isOne(address));
    });
  const reach = {
    ipv6: withFamily(isIpv6),
    ipv4: withFamily((address) => !isIpv6(address)),
  };
  if (reach.ipv6.length > 0 && reach.ipv4.length > 0) return known(reach);
  const failed = lookups.flatMap((lookup) =>
    lookup.status === 'unknown' ? lookup.error : (lookup.value.unanswered ?? []),
  );
  if (failed[0] !== undefined) return unknown(failed[0]);
  return reach.ipv6.length + reach.ipv4.length === 0 ? undefined : known(reach);
}

function reachOfNameServers({ receiving }: Facts): LookupResult<Reach> | undefined {
  const all = Object.entries(receiving.nameServers);
  const ipv6 = all.flatMap(([name, lookup]) => (ifKnown(lookup) ? [name] : []));
  const open = all.find(([, lookup]) => lookup.status === 'unknown')?.[1];
  if (ipv6.length === 0 && open?.status === 'unknown') return open;
  return all.length === 0 ? undefined : known({ ipv6, ipv4: [] });
}

export const mxIpv6 = check({
  id: 'mx_ipv6',
  family: 'transport',
  title: 'IPv6 of the mail hosts (MX)',
  source: 'RFC 3974 §4.1; RFC 5321 §5.2; internet.nl',
  about: {
    what: 'A mail server can be reached over IPv4, over IPv6, or over both.',
    why: 'Many servers have only one of the two. A mail host with both can be reached from everywhere.',
    how: [
      'Give your mail server an address of the kind it lacks, with its own reverse name.',
      'Publish that address at the name in your MX record: an A record for IPv4, an AAAA record for IPv6.',
    ],
    bad: 'mail.example.com  AAAA  2001:db8::25   (and no A record)',
    good: 'mail.example.com  A  192.0.2.25\nmail.example.com  AAAA  2001:db8::25',
  },
  subject: (facts) => ofReceiver(facts, reachOfMx(facts)),
  states: ({ suggest, info, pass }) => ({
    ipv6_only: suggest.when(
      'IPv6 only: servers without IPv6, of which there are many, cannot deliver',
      ({ ipv4 }) => ipv4.length === 0,
    ),
    ipv4_only: info.when(
      'IPv4 only, over which nearly every server delivers',
      ({ ipv6 }) => ipv6.length === 0,
    ),
    both: pass('at least one MX host can be reached over both'),
  }),
  detail: ({ ipv6, ipv4 }) =>
    `With IPv6: ${ipv6.join(', ') || 'none'}. With IPv4: ${ipv4.join(', ') || 'none'}.`,
  evidence: ({ ipv6, ipv4 }) => ({ ipv6, ipv4 }),
  fix: 'Only servers with IPv6 can deliver to {hosts}.',
  values: ({ ipv6 }) => ({ hosts: formatList(ipv6) }),
  steps: ({ ipv6: [host = ''] }) => [
    askStep(
      `Which IPv4 address does ${host} have? Publish it in an A record at ${host}, or name a second MX host that has one.`,
    ),
  ],
});

export const nsIpv6 = check({
  id: 'ns_ipv6',
  family: 'transport',
  title: 'IPv6 of the name servers',
  source: 'internet.nl',
  about: {
    what: 'The name servers of your domain answer queries for its records.',
    why: 'A resolver with only IPv6 finds your SPF, DKIM and DMARC records only through a name server that has IPv6 too.',
    how: [
      'Ask whoever hosts your DNS for name servers with IPv6. Nearly all providers offer them.',
    ],
    bad: 'ns1.example.net  (A record only)',
    good: 'ns1.example.net  AAAA  2001:db8::53',
  },
  subject: reachOfNameServers,
  states: ({ info, pass }) => ({
    ipv4_only: info.when('no name server has an IPv6 address', ({ ipv6 }) => ipv6.length === 0),
    both: pass('at least one name server has an IPv6 address'),
  }),
  detail: ({ ipv6 }) => `With IPv6: ${ipv6.join(', ') || 'none'}.`,
  evidence: ({ ipv6 }) => ({ ipv6 }),
  fix: 'No name server of {org_domain} has an IPv6 address.',
});
