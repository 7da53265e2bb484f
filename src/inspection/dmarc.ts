/**
 * Looks up the DMARC records of an email's domains, and checks whether their report addresses can receive
 * reports.
 */

import { isDeliverable } from '../analysis/dmarc/correct.ts';
import type { DmarcFacts } from '../analysis/dmarc/facts.ts';
import { isDmarcRecord } from '../analysis/dmarc/parse.ts';
import { type DmarcAnswers, type Found, treeNames, walkTree } from '../analysis/dmarc/tree-walk.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import { isUnder, organizationalDomain } from '../analysis/names/domain-names.ts';
import {
  correctAddress,
  intendedAddresses,
  parseReportAddress,
} from '../analysis/syntax/report-address.ts';
import type { Dmarc } from '../domain/report/authentication.ts';
import type { DnsAnswer, MxRecord, Resolver } from '../ports/dns.ts';
import { lookUpAddresses } from './dns-results.ts';

type Rua = NonNullable<Dmarc['rua']>;

/** Where the reports of a DMARC record can go. */
export interface RuaLookup extends Pick<DmarcFacts, 'hasNoMailHost'> {
  readonly rua: Rua;
}

/** Maximum number of report addresses that are looked up. RFC 9990 allows receivers to serve only two. */
const MAX_ADDRESSES = 5;

/** Looks up `_dmarc` at every name that the tree walks of these domains can reach, all at once. */
export async function lookUpDmarc(
  resolver: Resolver,
  domains: readonly (string | null)[],
): Promise<DmarcAnswers> {
  const names = new Set(
    domains.flatMap((domain) => (domain === null || domain === '' ? [] : treeNames(domain))),
  );
  const answers = await Promise.all(
    [...names].map(
      async (name): Promise<[string, DnsAnswer<readonly string[]>]> => [
        name,
        await resolver.txt(`_dmarc.${name}`),
      ],
    ),
  );
  return new Map(answers);
}

/**
 * Finds out whether the report addresses of the DMARC record that applies can receive reports (RFC 9990 §4).
 */
export async function lookUpRua(
  resolver: Resolver,
  fromDomain: string,
  answers: DmarcAnswers,
): Promise<RuaLookup> {
  const { discovered, organization } = walkTree(fromDomain, answers);
  if (discovered.status === 'unknown') return { rua: [] };
  const own = organization.status === 'known' ? organization.value : null;
  const rua = discovered.value ? await lookUpAddressesOf(resolver, discovered.value, own) : [];
  const domain = discovered.value?.name ?? organizationalDomain(fromDomain);
  // If no report arrives, a fix proposes an address at this domain.
  if (domain === fromDomain || rua.some(isDeliverable)) return { rua };
  const mx = await resolver.mx(domain);
  return { rua, hasNoMailHost: mx.status !== 'failed' && !namesHost(mx) };
}

/** Returns whether an answer names a mail host, which a null MX does not (RFC 7505). */
const namesHost = (answer: DnsAnswer<MxRecord>): boolean =>
  answer.status === 'found' &&
  answer.records.some(({ exchange }) => exchange.replace(/\.$/, '') !== '');

async function lookUpAddressesOf(
  resolver: Resolver,
  { name: policyDomain, record }: Found,
  organization: string | null,
): Promise<Rua> {
  const own = organization ?? policyDomain;
  return Promise.all(
    record.rua.slice(0, MAX_ADDRESSES).map(async (uri) => {
      // The corrected form of the address is read, because some addresses are usable only once they are
      // corrected.
      const corrected = correctAddress(intendedAddresses(uri)[0] ?? '');
      const { host, scheme } = parseReportAddress(corrected ?? uri);
      // A `mailto:` without an address reaches nobody. For other URIs, no domain is known.
      if (host === null)
        return {
          uri,
          external: false,
          authorized: null,
          has_mx: scheme === 'mailto' ? false : null,
        };
      const external =
        !isUnder(host, own) && organizationalDomain(host) !== organizationalDomain(own);
      const [authorized, has_mx] = await Promise.all([
        external ? isAuthorized(resolver, policyDomain, host) : null,
        hasMx(resolver, host),
      ]);
      return { uri, external, authorized, has_mx };
    }),
  );
}

/**
 * Returns whether the host authorizes the reports, by a DMARC record at `<policy
 * domain>._report._dmarc.<host>` (RFC 9990 §4).
 */
async function isAuthorized(
  resolver: Resolver,
  policyDomain: string,
  host: string,
): Promise<boolean | null> {
  const answer = await resolver.txt(`${policyDomain}._report._dmarc.${host}`);
  return answer.status === 'failed' ? null : textsOf(answer).some(isDmarcRecord);
}

/**
 * Returns whether a host can receive email. Without an MX record, a domain with an address receives it itself
 * (RFC 5321 §5.1).
 */
async function hasMx(resolver: Resolver, host: string): Promise<boolean | null> {
  const answer = await resolver.mx(host);
  if (answer.status === 'failed') return null;
  if (answer.status === 'found') return namesHost(answer);
  if (answer.status === 'nxdomain') return false;
  const addresses = await lookUpAddresses(resolver, host, null);
  return addresses.status === 'known' ? addresses.value.length > 0 : null;
}
