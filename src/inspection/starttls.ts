/** Connects to the mail hosts of a domain, at most three, to find out which TLS they offer. */

import { isPublicAddress } from '../analysis/addresses.ts';
import { entryOf, ifKnown, type LookupResult } from '../analysis/lookup-result.ts';
import type { MailHosts, Names } from '../analysis/names/facts.ts';
import type { ReceivingFacts } from '../analysis/receiving/facts.ts';
import { tlsaFault } from '../analysis/receiving/tlsa.ts';
import type { VisitMailHost } from '../ports/mail-host.ts';
import { hostsOf } from './mail-hosts.ts';

/** Maximum number of mail hosts that are contacted for one email: those that senders try first. */
const MAX_VISITED = 3;

interface Receiving {
  readonly domain: string;
  readonly fromMx: LookupResult<MailHosts>;
  readonly mxHosts: Names['mxHosts'];
  readonly receiving: ReceivingFacts;
}

/**
 * Connects to the mail hosts of a domain and returns what each offers. Hosts that cannot be reached are
 * omitted.
 */
export async function visitMailHosts(
  visit: VisitMailHost,
  { domain, fromMx, mxHosts, receiving: { tlsa } }: Receiving,
): Promise<NonNullable<ReceivingFacts['starttls']>> {
  const usable = (host: string) => {
    const lookup = entryOf(tlsa, host);
    return (lookup && ifKnown(lookup))?.filter((record) => tlsaFault(record) === null) ?? [];
  };
  const hosts = hostsOf(domain, fromMx).flatMap((host) => {
    const lookup = entryOf(mxHosts, host);
    const { addresses = [], alias = null } = (lookup && ifKnown(lookup)) ?? {};
    const names = [domain, ...(alias === null ? [] : [alias])];
    return addresses.some(isPublicAddress) ? { host, addresses, names, tlsa: usable(host) } : [];
  });
  const visits = hosts
    .slice(0, MAX_VISITED)
    .map(async (one) => [one.host, await visit(one)] as const);
  return Object.fromEntries(await Promise.all(visits));
}
