/** Recognises the address pools of large senders, which many customers share. */

import { PLATFORMS } from '../../domain/platforms.ts';
import { isFreemail } from './domain-names.ts';
import pools from './shared-pools.json' with { type: 'json' };

/**
 * Domains of large senders whose IPs many customers share, so that a listing says little about one customer.
 * Compared only with forward-confirmed names, because anyone can claim a name.
 */
const SHARED_POOL = under([...PLATFORMS.flatMap(({ domains }) => domains), ...pools.domains]);

/** Terms that customers of a pool put into their SPF record, as the provider documents them. */
const INCLUDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    PLATFORMS.flatMap(({ domains, include }) =>
      include === null ? [] : domains.map((domain) => [domain, include]),
    ),
  ),
  ...pools.includes,
};

const INCLUDED = under(Object.keys(INCLUDES));

/** Returns a pattern for these domains and the names under them. */
function under(domains: readonly string[]): RegExp {
  return new RegExp(`(?:^|\\.)(${domains.map((name) => RegExp.escape(name)).join('|')})\\.?$`, 'i');
}

/** Returns the SPF term for the pool to which a confirmed name belongs, or `undefined` if it is unknown. */
export const poolTerm = (name: string): string | undefined => {
  const pool = INCLUDED.exec(name)?.[1]?.toLowerCase();
  return pool && `include:${INCLUDES[pool]}`;
};

/** Returns whether a confirmed name belongs to a large shared sender. */
export const isSharedPool = (name: string): boolean => SHARED_POOL.test(name);

/** Returns whether only a provider can change the records of a domain. */
export const isProviderDomain = (domain: string): boolean =>
  isFreemail(domain) || isSharedPool(domain);
