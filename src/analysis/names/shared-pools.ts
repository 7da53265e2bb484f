import { PLATFORMS } from '../../domain/platforms.ts';
import { isFreemail } from './domain-names.ts';
import pools from './shared-pools.json' with { type: 'json' };

/**
 * Domains of large senders whose IPs many customers share: a listing of one says little of the
 * customer. Judged by forward-confirmed names only, since anybody can claim a name.
 */
const SHARED_POOL = under([...PLATFORMS.flatMap(({ domains }) => domains), ...pools.domains]);

/** What customers of a pool put into their SPF record, as the provider documents it. */
const INCLUDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    PLATFORMS.flatMap(({ domains, include }) =>
      include === null ? [] : domains.map((domain) => [domain, include]),
    ),
  ),
  ...pools.includes,
};

const INCLUDED = under(Object.keys(INCLUDES));

/** What matches these domains, and names under them. */
function under(domains: readonly string[]): RegExp {
  return new RegExp(`(?:^|\\.)(${domains.map((name) => RegExp.escape(name)).join('|')})\\.?$`, 'i');
}

/** The SPF term for the pool that a confirmed name belongs to; `undefined`: not known. */
export const poolTerm = (name: string): string | undefined => {
  const pool = INCLUDED.exec(name)?.[1]?.toLowerCase();
  return pool && `include:${INCLUDES[pool]}`;
};

/** Whether a name that was confirmed belongs to a large shared sender. */
export const isSharedPool = (name: string): boolean => SHARED_POOL.test(name);

/** Whether only a provider can change the records of a domain. */
export const isProviderDomain = (domain: string): boolean =>
  isFreemail(domain) || isSharedPool(domain);
