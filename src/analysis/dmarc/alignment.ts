import { known, type LookupResult } from '../lookup-result.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import { type DmarcAnswers, organizationalDomainOf, walkTree } from './tree-walk.ts';

/** How a domain stands to the From domain. `relaxed`: one organizational domain. */
export type Alignment = 'strict' | 'relaxed' | 'none';

/**
 * Compares two domains by tree walks (RFC 9989 §4.10.2). An organizational domain is the name
 * itself or one above it, so a domain outside the From domain's needs no walk of its own.
 */
export function alignDomains(
  fromDomain: string,
  domain: string,
  answers: DmarcAnswers,
): LookupResult<Alignment> {
  if (domain === '') return known('none');
  if (domain === fromDomain) return known('strict');
  if (!shareEnd(fromDomain, domain)) return known('none');
  const organization = organizationalDomainOf(walkTree(fromDomain, answers));
  if (organization.status === 'unknown') return organization;
  if (!isUnder(domain, organization.value)) return known('none');
  const other = organizationalDomainOf(walkTree(domain, answers));
  if (other.status === 'unknown') return other;
  return known(other.value === organization.value ? 'relaxed' : 'none');
}

/** The same by the Public Suffix List, as receivers from before RFC 9989 do it. */
export function alignByList(fromDomain: string, domain: string): Alignment {
  if (domain === fromDomain) return 'strict';
  return domain !== '' && sameOrganization(fromDomain, domain) ? 'relaxed' : 'none';
}

// Without a common label no walk can make them one organization.
const shareEnd = (one: string, other: string) => one.split('.').at(-1) === other.split('.').at(-1);
