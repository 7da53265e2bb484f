import { heloResolvesToIp } from '../connection/helo-and-tls-checks.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, type LookupResult } from '../lookup-result.ts';
import { isSharedPool } from '../names/shared-pools.ts';

/**
 * Whether a confirmed name of the IP belongs to a large shared sender. Unknown rather than "no" when
 * a lookup that could confirm one failed.
 */
export function isPool(facts: Facts): LookupResult<boolean> {
  const { forward, helo } = facts.connection;
  const heloConfirmed = heloResolvesToIp(facts);
  const names = [
    ...(ifKnown(forward)?.confirmedNames ?? []),
    ...(ifKnown(heloConfirmed) && helo ? [helo] : []),
  ];
  if (names.some(isSharedPool)) return known(true);
  if (forward.status === 'unknown') return forward;
  return heloConfirmed.status === 'unknown' && helo && isSharedPool(helo)
    ? heloConfirmed
    : known(false);
}
