/**
 * Collects the domains that an email names, such as its sender's and those of its links, and asks domain
 * blocklists about them.
 */

import type { Facts } from '../analysis/facts.ts';
import { ifKnown } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { AskedDomain, DomainRole } from '../analysis/reputation/facts.ts';
import type { Resolver } from '../ports/dns.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import type { Blocklists } from './blocklists.ts';
import { orElse } from './deadlines.ts';
import { isDomainName } from './dns-results.ts';
import { lookUpNameServers } from './for-fixes.ts';

/** Maximum number of an email's domains that are looked up. Every list gets a query for each. */
const MAX_DOMAINS = 20;

/** Looks up the domains that an email names in the domain lists. Links are neither opened nor resolved. */
async function askDomainLists(
  resolver: Resolver,
  blocklists: Blocklists,
  { scan, atRcpt, authenticated, reading }: AtEndOfData,
): Promise<NonNullable<Facts['domainLists']>> {
  const { dkim } = await authenticated;
  const from = scan.headerFrom.domain;
  const named: [DomainRole, string][] = [];
  const add = (role: DomainRole, names: readonly string[]) => {
    for (const name of names)
      if (isDomainName(name)) named.push([role, organizationalDomain(name)]);
  };
  add('from', from === null ? [] : [from]);
  add('envelope', [atRcpt.from.domain]);
  // Only passing signatures count, because anyone can write a name into a signature that does not pass.
  const passing = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report }) => report.result === 'pass',
  );
  add(
    'dkim',
    passing.map(({ report }) => report.domain),
  );
  const own = [...new Set(named.flatMap(([role, name]) => (role === 'dkim' ? [] : name)))];
  // The wait is limited, so that a sender cannot avoid the lists by delaying these lookups.
  const hosting = await orElse(
    NAME_SERVERS_MS,
    Promise.all(own.map((name) => lookUpNameServers(resolver, name))),
    [],
  );
  const links = (await reading.content)?.links.report.domains ?? [];
  add(
    'link',
    links.flatMap(({ host, ip_literal }) => (ip_literal ? [] : host)),
  );
  add('name_server', hosting.flat());

  const roles = Map.groupBy(named, ([, name]) => name);
  return Promise.all(
    [...roles].slice(0, MAX_DOMAINS).map(
      async ([domain, all]): Promise<AskedDomain> => ({
        domain,
        roles: [...new Set(all.map(([role]) => role))],
        answers: await blocklists.ofDomain(resolver, domain),
      }),
    ),
  );
}

/** Longest wait for the name servers whose domains are looked up in the lists, in milliseconds. */
const NAME_SERVERS_MS = 1000;

/** Time limit for the domain lists in milliseconds, once the content and the signers are known. */
const DOMAIN_LISTS_MS = 4000;

interface Ports {
  readonly resolver: Resolver;
  /** Null if none of the configured blocklists lists domains. */
  readonly domainLists: Blocklists | null;
}

/**
 * Looks up the email's domains in the domain lists once the content and the signers are known. Resolves with undefined
 * if none is configured.
 */
export async function lookUpDomainLists(
  { resolver, domainLists }: Ports,
  mail: AtEndOfData,
): Promise<Facts['domainLists']> {
  if (domainLists === null) return undefined;
  await Promise.all([mail.reading.content, mail.authenticated]);
  return orElse(DOMAIN_LISTS_MS, askDomainLists(resolver, domainLists, mail), null);
}
