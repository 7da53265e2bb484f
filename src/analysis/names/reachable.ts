/** Decides whether a host can be reached from outside its own network. */

import { isAddress, isPublicAddress } from '../addresses.ts';
import { isPublicName, sameOrganization } from './domain-names.ts';

/**
 * Matches names that do not exist on the public Internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's
 * .internal).
 */
const NOWHERE =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa|onion|alt|test|invalid)$/i;

/**
 * Matches names that are reserved for examples (RFC 2606, RFC 6761). No host has such a name, except in a
 * test.
 */
const EXAMPLE = /(?:^|\.)example(?:\.(?:com|net|org))?$/i;

/**
 * Returns whether a host that a sender names can be reached from outside. An example name counts as reachable
 * only for a sender at the same domain, or if `ownDomain`, the sender's domain, is unknown (null).
 */
export function isReachable(host: string, ownDomain: string | null): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  if (!host.includes('.') || NOWHERE.test(host) || !isPublicName(host)) return false;
  return !EXAMPLE.test(host) || ownDomain === null || sameOrganization(host, ownDomain);
}
