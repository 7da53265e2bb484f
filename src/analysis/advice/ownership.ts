/**
 * Decides at which DNS names the reader of the report can publish records, and returns what else is known
 * about a name, such as its alias.
 */

import type { Facts } from '../facts.ts';
import { entryOf, ifKnown } from '../lookup-result.ts';
import {
  isHandedOut,
  isUnder,
  organizationalDomain,
  sameOrganization,
} from '../names/domain-names.ts';
import type { DnsName } from '../names/facts.ts';
import { isMachineName } from '../names/generic-name.ts';
import { EXAMPLE, isPublicDomain } from '../names/host-name.ts';
import { isProviderDomain } from '../names/shared-pools.ts';

/**
 * Returns the domain of the reader: the From domain, or the envelope domain if there is no public From
 * domain. Returns null if neither is public.
 */
const ownDomain = ({ names }: Facts): string | null => {
  const { fromDomain, envelopeDomain } = names;
  if (fromDomain !== null && isPublicDomain(fromDomain)) return fromDomain;
  return isPublicDomain(envelopeDomain) ? envelopeDomain : null;
};

/**
 * Returns whether no sender can change the records of a domain: it is a provider's, or an example that is not
 * registered, or a name that a provider has given to a machine or a customer. A customer's name with name
 * servers or mail hosts of its own is the customer's.
 */
export function isOthersDomain(domain: string, { names }: Facts): boolean {
  const { fromDomain, fromDomainExists, fromMx, nameServers, ip } = names;
  if (isProviderDomain(domain) || isMachineName(domain, ip)) return true;
  const isFrom = fromDomain !== null && sameOrganization(domain, fromDomain);
  // Mail of a subdomain does not show that its organization is missing.
  const isMissing = fromDomain === domain && ifKnown(fromDomainExists) === false;
  if (isMissing && organizationalDomain(domain) === domain && EXAMPLE.test(domain)) return true;
  const isRun = isFrom && (nameServers.length > 0 || (ifKnown(fromMx)?.mx.length ?? 0) > 0);
  return isHandedOut(domain) && !isRun;
}

/**
 * Returns whether the reader can publish records at a name: it belongs to the organization of the From
 * domain, and is not one that a provider hands out to customers. If this cannot be decided, the name does not
 * count as the reader's.
 */
export function isOwnName(name: string, facts: Facts): boolean {
  const own = ownDomain(facts);
  if (own === null || isOthersDomain(own, facts)) return false;
  const organization = facts.names.fromOrganizationalDomain ?? own;
  return sameOrganization(name, own) && isUnder(name, shorter(organization, name));
}

/**
 * Returns the shorter of the organizational domain and a name, if one lies under the other. A name can lie
 * above what DMARC considers the organization.
 */
const shorter = (organization: string, name: string): string =>
  isUnder(organization, name) ? name : isUnder(name, organization) ? organization : name;

/** Returns what is known about a DNS name besides its records, such as an alias or a wildcard. */
export const dnsNameOf = (name: string, { dnsNames = {} }: Facts): DnsName =>
  entryOf(dnsNames, name.toLowerCase()) ?? NOTHING_KNOWN;

/** Returns another party's name servers for a name, if it is in a zone that is known to be delegated. */
export const delegationOf = (name: string, facts: Facts): DnsName['delegation'] =>
  dnsNameOf(name, facts).delegation ??
  Object.values(facts.dnsNames ?? {}).find(
    ({ delegation }) => delegation && isUnder(name, delegation.zone),
  )?.delegation;

const NOTHING_KNOWN: DnsName = {};

/**
 * Returns the name to which an alias (CNAME) at the given name finally leads, or `undefined` if there is no
 * alias (RFC 1034 §3.6.2).
 */
export const aliasOf = (name: string, facts: Facts): string | undefined =>
  dnsNameOf(name, facts).alias?.end;
