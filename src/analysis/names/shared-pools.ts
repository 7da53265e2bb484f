/**
 * Recognizes the host names and domains of large senders whose addresses many customers share, returns the
 * SPF term that those customers publish, and tells whether only a provider can change a domain's records.
 */

import { PLATFORMS } from '../../domain/platforms.ts';
import { isFreemail } from './domain-names.ts';
import pools from './shared-pools.json' with { type: 'json' };

/**
 * Matches domains of large senders whose IP addresses many customers share, so that a blocklist entry says
 * little about one customer. Only forward-confirmed names are compared, because anyone can claim a name.
 */
const SHARED_POOL = under([...PLATFORMS.flatMap(({ domains }) => domains), ...pools.domains]);

/** SPF terms that the customers of a pool publish, according to the provider's documentation. */
const INCLUDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    PLATFORMS.flatMap(({ domains, include }) =>
      include === null ? [] : domains.map((domain) => [domain, include]),
    ),
  ),
  ...pools.includes,
};

const INCLUDED = under(Object.keys(INCLUDES));

/** Returns a pattern that matches these domains and the names under them. */
function under(domains: readonly string[]): RegExp {
  return new RegExp(`(?:^|\\.)(${domains.map((name) => RegExp.escape(name)).join('|')})\\.?$`, 'i');
}

/** Returns the SPF term for the pool to which a confirmed name belongs, or `undefined` if it is unknown. */
export const poolTerm = (name: string): string | undefined => {
  const pool = INCLUDED.exec(name)?.[1]?.toLowerCase();
  return pool && `include:${INCLUDES[pool]}`;
};

/** Returns whether a confirmed name belongs to a large sender whose addresses are shared. */
export const isSharedPool = (name: string): boolean => SHARED_POOL.test(name);

/** Returns whether only a provider can change the records of a domain. */
export const isProviderDomain = (domain: string): boolean =>
  isFreemail(domain) || isSharedPool(domain);
