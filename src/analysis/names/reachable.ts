/** Decides whether a host can be reached from outside its own network. */

import { isAddress, isPublicAddress } from '../addresses.ts';
import { isPublicName, sameOrganization } from './domain-names.ts';
import { EXAMPLE, NOWHERE } from './host-name.ts';

/**
 * Returns whether a host that a sender names can be reached from outside. An example name counts as reachable
 * only for a sender at the same domain, or if `ownDomain`, the sender's domain, is unknown (null).
 */
export function isReachable(host: string, ownDomain: string | null): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  if (!host.includes('.') || NOWHERE.test(host) || !isPublicName(host)) return false;
  return !EXAMPLE.test(host) || ownDomain === null || sameOrganization(host, ownDomain);
}
