import { publicFrom } from '../advice/fill.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, type LookupResult } from '../lookup-result.ts';

/** Left out for a domain to which no hop leads: none, one's own network's, or a null MX (RFC 7505). */
export const ofReceiver = <T>(
  facts: Facts,
  lookup: LookupResult<T> | undefined,
): LookupResult<T> | undefined => {
  const { fromDomainExists, fromMx } = facts.names;
  const takesMail = ifKnown(fromDomainExists) !== false && !ifKnown(fromMx)?.nullMx;
  return publicFrom(facts) === null || !takesMail ? undefined : lookup;
};
