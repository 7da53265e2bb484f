/**
 * mailauth answers `none` without a query for a domain with an underscore, which DNS allows. So
 * such names go in with another spelling, and come back to their own in every question.
 */
export interface NameAlias {
  hide(domain: string): string;
  restore(name: string): string;
}

export const NO_ALIAS: NameAlias = { hide: (domain) => domain, restore: (name) => name };

/** @param texts everything that takes part: the spelling must occur in none of it */
export function createNameAlias(domains: readonly string[], texts: readonly string[]): NameAlias {
  if (!domains.some((domain) => domain.includes('_'))) return NO_ALIAS;
  const all = [...domains, ...texts].join(' ').toLowerCase();
  let token = 'u95z';
  // Letters and digits only, so that it can begin or end a label.
  for (let n = 0; all.includes(token); n += 1) token = `u95z${n}z`;
  return {
    hide: (domain) => domain.replaceAll('_', token),
    restore: (name) => name.toLowerCase().replaceAll(token, '_'),
  };
}
