import type { Facts } from '../analysis/facts.ts';
import { ifKnown } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { AskedDomain, DomainRole } from '../analysis/reputation/facts.ts';
import type { Resolver } from '../ports/dns.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import type { Blocklists } from './blocklists.ts';
import { isDomainName } from './dns-results.ts';
import { lookUpNameServers } from './for-fixes.ts';

/** Domains of a mail that are asked for: every list gets a query for each. */
const MAX_DOMAINS = 20;

/** What the lists of domains say of those that the mail names. Links are neither opened nor resolved. */
export async function lookUpDomainLists(
  resolver: Resolver,
  blocklists: Blocklists,
  { scan, atRcpt, authenticated, reading }: AtEndOfData,
): Promise<NonNullable<Facts['domainLists']>> {
  const { dkim } = await authenticated;
  const from = scan.headerFrom.domain;
  const envelope = atRcpt.from.domain;
  const named: [DomainRole, string][] = [];
  const add = (role: DomainRole, names: readonly string[]) => {
    for (const name of names)
      if (isDomainName(name)) named.push([role, organizationalDomain(name)]);
  };
  add('from', from === null ? [] : [from]);
  add('envelope', [envelope]);
  // Anybody can write a name into a signature that does not pass.
  const passing = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report }) => report.result === 'pass',
  );
  add(
    'dkim',
    passing.map(({ report }) => report.domain),
  );
  const own = [...new Set(named.flatMap(([role, name]) => (role === 'dkim' ? [] : name)))];
  const hosting = await Promise.all(own.map((name) => lookUpNameServers(resolver, name)));
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
