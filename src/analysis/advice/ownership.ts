/** Decides which names in the DNS are the reader's to change. */

import type { Facts } from '../facts.ts';
import { entryOf } from '../lookup-result.ts';
import { isFreemail, isUnder, sameOrganization } from '../names/domain-names.ts';
import type { DnsName } from '../names/facts.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { isProviderDomain } from '../names/shared-pools.ts';

/** Returns the domain whose owner reads the report: the From domain, or the envelope's if From has none. */
const ownDomain = ({ names }: Facts): string | null => {
  const { fromDomain, envelopeDomain } = names;
  if (fromDomain !== null && isPublicDomain(fromDomain)) return fromDomain;
  return isPublicDomain(envelopeDomain) ? envelopeDomain : null;
};

/**
 * Returns whether the reader can publish at a name: it belongs to the organization of the From domain, and is
 * not one that a provider hands out to customers. If this cannot be decided, the name does not count as
 * theirs.
 */
export function isOwnName(name: string, facts: Facts): boolean {
  const own = ownDomain(facts);
  if (own === null || isProviderDomain(own) || isFreemail(own)) return false;
  const organization = facts.names.fromOrganizationalDomain ?? own;
  return sameOrganization(name, own) && isUnder(name, shorter(organization, name));
}

/** The name itself, if it lies above what DMARC considers the organization. */
const shorter = (organization: string, name: string): string =>
  isUnder(organization, name) ? name : isUnder(name, organization) ? organization : name;

/** Returns what is known about a name besides its records. */
export const dnsNameOf = (name: string, { dnsNames = {} }: Facts): DnsName =>
  entryOf(dnsNames, name.toLowerCase()) ?? NOTHING_KNOWN;

const NOTHING_KNOWN: DnsName = {};

/** Returns the name at which a record really is, behind a CNAME (RFC 1034 §3.6.2). */
export const aliasOf = (name: string, facts: Facts): string | undefined =>
  dnsNameOf(name, facts).alias?.end;
