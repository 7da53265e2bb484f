/** Decides whether a host can be reached from outside its own network. */

import { isAddress, isPublicAddress } from '../addresses.ts';
import { isPublicName, sameOrganization } from './domain-names.ts';

/**
 * Names that do not exist on the public Internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's .internal).
 */
const NOWHERE =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa|onion|alt|test|invalid)$/i;

/** Names for examples (RFC 2606, RFC 6761). No host has such a name, except in a test. */
const EXAMPLE = /(?:^|\.)example(?:\.(?:com|net|org))?$/i;

/**
 * Returns whether a host that a sender at `ownDomain` names can be reached from outside. `ownDomain` is null
 * if unknown.
 */
export function isReachable(host: string, ownDomain: string | null): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  if (!host.includes('.') || NOWHERE.test(host) || !isPublicName(host)) return false;
  return !EXAMPLE.test(host) || ownDomain === null || sameOrganization(host, ownDomain);
}
