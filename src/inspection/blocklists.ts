/**
 * Asks DNS blocklists (SpamCop, those that refuse email, and those in `DNSBLS`) about addresses and domains,
 * and detects lists that do not work (RFC 5782 §5).
 */

import { isPublicAddress } from '../analysis/addresses.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { reverseLabels } from '../analysis/names/host-name.ts';
import type { ListingFacts } from '../analysis/reputation/facts.ts';
import { findDnsbl, isListing, listsDomains, nameOf, testPointOf } from '../domain/dnsbls.ts';
import type { DnsAnswer, NewResolver, Resolver } from '../ports/dns.ts';
import { orElse } from './deadlines.ts';

type Listing = ListingFacts['blocklists'][number];
type Spamcop = ListingFacts['spamcop'];

/** Test points, for addresses and for domains, that no working list contains (RFC 5782 §5). */
const UNLISTED_POINT = { address: '1.0.0.127', domain: 'invalid' };

/** Time limit in milliseconds for one list to answer about one email. */
const LIST_MS = 2000;

/** How long the result of a check of the test points is valid, in milliseconds. */
const RECHECK_MS = 60 * 60 * 1000;

export const SPAMCOP = 'bl.spamcop.net';

const SPAMCOP_LISTED = '127.0.0.2';

const isListed = (zone: string, code: string): boolean =>
  zone === SPAMCOP ? code === SPAMCOP_LISTED : isListing(zone, code);

/** `starved` means that the list could not be queried because of our own limits. */
type ListState = 'works' | 'broken' | 'starved';

export interface Blocklists {
  /**
   * Queries SpamCop, which lists only IPv4 addresses. `not_applicable` also covers addresses that no list can
   * contain.
   */
  spamcop(resolver: Resolver, ip: string | null): Promise<Spamcop>;
  /** Queries the lists that refuse email. Lists that cannot contain the address are omitted. */
  refusing(resolver: Resolver, ip: string | null): Promise<readonly Listing[]>;
  /** Queries the address lists in DNSBLS, and judges each by its own codes only. */
  configured(resolver: Resolver, ip: string | null): Promise<readonly Listing[]>;
  /** Queries the domain lists in DNSBLS about a domain, which must be in lower case. */
  ofDomain(resolver: Resolver, domain: string): Promise<readonly Listing[]>;
}

/**
 * Creates the functions that query DNS blocklists. A list is used only while its test points behave (RFC 5782
 * §5).
 */
export function createBlocklists(ports: {
  readonly newResolver: NewResolver;
  readonly refusalBlocklists: readonly string[];
  readonly dnsbls: readonly string[];
}): Blocklists {
  const { newResolver, refusalBlocklists, dnsbls } = ports;
  /** The last check of each list's test points. `at` is a value of `performance.now()`. */
  const looks = new Map<string, { readonly at: number; readonly state: Promise<ListState> }>();

  /** Returns whether a list works. A list whose zone had lapsed once answered every query with "listed". */
  const stateOf = (list: string): Promise<ListState> => {
    const last = looks.get(list);
    if (last && performance.now() - last.at < RECHECK_MS) return last.state;
    const look = { at: performance.now(), state: checkTestPoints(newResolver(), list) };
    looks.set(list, look);
    // A list that does not work now may work for the next email.
    void look.state.then(
      (state) => state !== 'works' && looks.get(list) === look && looks.delete(list),
    );
    return look.state;
  };
  const askWhole = async (resolver: Resolver, list: string, labels: string) => {
    const [answer, state] = await Promise.all([
      resolver.addresses(`${labels}.${list}`, 'A'),
      stateOf(list),
    ]);
    if (state === 'starved') resolver.starve();
    return state === 'works' ? answer : null;
  };
  /** Queries a list within a time limit, because a silent list must not delay the others. */
  const ask = (resolver: Resolver, list: string, labels: string) =>
    orElse(LIST_MS, askWhole(resolver, list, labels), null);
  const askAll = async (resolver: Resolver, zones: readonly string[], ip: string | null) => {
    const reversed = ip === null ? null : publicLabels(ip);
    if (!reversed) return [];
    const able = zones.filter((zone) => reversed.version === 4 || findDnsbl(zone)?.ipv6 === true);
    return askEach(resolver, able, reversed.labels);
  };
  const askEach = (resolver: Resolver, zones: readonly string[], labels: string) =>
    Promise.all(zones.map(async (zone) => toListing(zone, await ask(resolver, zone, labels))));
  const ofDomains = dnsbls.filter(listsDomains);
  const ofAddresses = dnsbls.filter((zone) => !listsDomains(zone));
  // The lists are checked now, so that the result is known before the first email needs it.
  for (const list of ofDomains) void stateOf(list);

  return {
    async spamcop(resolver, ip) {
      if (ip === null) return unknown('connection: the sending IP is not known');
      const reversed = publicLabels(ip);
      if (reversed?.version !== 4) return known('not_applicable');
      return toSpamcop(await ask(resolver, SPAMCOP, reversed.labels));
    },
    refusing: (resolver, ip) => askAll(resolver, refusalBlocklists, ip),
    configured: (resolver, ip) => askAll(resolver, ofAddresses, ip),
    ofDomain: (resolver, domain) => askEach(resolver, ofDomains, domain),
  };
}

async function checkTestPoints(resolver: Resolver, list: string): Promise<ListState> {
  const not = UNLISTED_POINT[listsDomains(list) ? 'domain' : 'address'];
  const names = [testPointOf(list), `${not}.${list}`] as const;
  const answers = await Promise.all([
    resolver.addresses(names[0], 'A'),
    resolver.addresses(names[1], 'A'),
  ]);
  if (answers.some((answer) => answer.status === 'failed' && answer.error === 'OVERLOADED'))
    return 'starved';
  const [listed, unlisted] = answers;
  return listed.status === 'found' &&
    listed.records.some((code) => isListed(list, code)) &&
    (unlisted.status === 'nxdomain' || unlisted.status === 'nodata')
    ? 'works'
    : 'broken';
}

function publicLabels(ip: string) {
  return isPublicAddress(ip) ? reverseLabels(ip) : null;
}

function toSpamcop(answer: DnsAnswer<string> | null): LookupResult<'listed' | 'not_listed'> {
  if (answer === null) return unknown('spamcop: the list does not work at the moment');
  if (answer.status === 'failed') return unknown(`spamcop: ${answer.error}`);
  if (answer.status !== 'found') return known('not_listed');
  // No other code means that the address is listed. A lapsed zone once answered every query.
  return answer.records.every((code) => isListed(SPAMCOP, code))
    ? known('listed')
    : unknown('spamcop: an answer that is not a listing');
}

/**
 * Turns a list's answer into a result. The answer is null if the list was not queried, or did not answer in
 * time.
 */
function toListing(zone: string, answer: DnsAnswer<string> | null): Listing {
  const codes = answer?.status === 'found' ? answer.records : [];
  const listings = codes.filter((code) => isListed(zone, code));
  // Any code that does not mean "listed" is a refused query, or is unknown to us.
  const isOther = codes.length > listings.length;
  const status =
    answer === null || answer.status === 'failed' || (isOther && listings.length === 0)
      ? 'unavailable'
      : listings.length > 0
        ? 'listed'
        : 'not_listed';
  return {
    list: nameOf(zone),
    status,
    codes: [...codes],
    removal_url: findDnsbl(zone)?.removalUrl ?? null,
  };
}
