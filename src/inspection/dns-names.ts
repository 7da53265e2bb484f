/**
 * Finds aliases, wildcards, delegations and addresses at the DNS names that fixes may touch, and the names
 * that were intended if a DNS panel appended the zone.
 */

import { platformOfName } from '../analysis/advice/platforms.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import type { Facts } from '../analysis/facts.ts';
import { isUnder, organizationalDomain } from '../analysis/names/domain-names.ts';
import type { DnsName } from '../analysis/names/facts.ts';
import { isPurpose } from '../analysis/names/host-name.ts';
import { isSpfRecord } from '../analysis/spf/parse.ts';
import type { DnsQuery, Resolver } from '../ports/dns.ts';
import { isDomainName } from './dns-results.ts';
import { isFromWildcard, lookAtHost } from './wildcards.ts';

type DnsNames = NonNullable<Facts['dnsNames']>;

/** Maximum number of names that are examined. An email that needs more has other faults to fix first. */
const MAX_NAMES = 12;

/** Names that the fixes for one email may touch. */
export interface NamesToTouch {
  /** The domains of the sender. */
  readonly domains: readonly string[];
  /** TXT names that a fix may still require. */
  readonly texts: readonly string[];
  /** Hosts at which a fix may publish records other than addresses. */
  readonly hosts: readonly string[];
  /** Names to which a fix may assign an address. */
  readonly free: readonly string[];
  /** Names whose records a fix may change. Someone else's servers may answer for them. */
  readonly records: readonly string[];
  /** The name servers of the domain. */
  readonly nameServers: readonly string[];
}

/**
 * Returns those names among the looked-up TXT names that are aliases, with their targets. Sends no further
 * query.
 */
export const aliasesIn = (trace: readonly DnsQuery[]): DnsNames =>
  Object.fromEntries(
    trace.flatMap(({ name, type, alias }) =>
      type === 'TXT' && alias ? [[name, { alias: { target: alias, end: alias } }]] : [],
    ),
  );

/**
 * Finds out what else affects the names that fixes may touch: aliases, wildcards, and other parties' name
 * servers.
 */
export async function lookUpDnsNames(resolver: Resolver, touch: NamesToTouch): Promise<DnsNames> {
  const isOwn = (name: string) =>
    isDomainName(name) &&
    touch.domains.some((domain) => isUnder(name, organizationalDomain(domain)));
  const asked = resolver.trace.flatMap(({ name, type }) => (type === 'TXT' ? name : []));
  const texts = [...new Set([...asked, ...touch.texts])].filter(isOwn);
  const mayChange = new Set(touch.records);
  const isBelow = (host: string) => isOwn(host) && host !== organizationalDomain(host);
  const looks: readonly (readonly [string, () => Promise<DnsName>])[] = [
    ...texts.map((name) => [name, () => lookAtTexts(resolver, name, mayChange.has(name))] as const),
    ...touch.hosts.filter(isBelow).map((name) => [name, () => lookAtHost(resolver, name)] as const),
    ...touch.records
      .filter(isOwn)
      .map((name) => [name, () => lookAtServers(resolver, name, touch.nameServers)] as const),
    ...touch.free
      .filter(isOwn)
      .map((name) => [name, () => lookAtAddresses(resolver, name)] as const),
  ];
  const seen = await Promise.all(
    looks.slice(0, MAX_LOOKS).map(async ([name, look]) => [name, await look()] as const),
  );
  const names = new Map<string, DnsName>();
  for (const [name, found] of seen)
    if (Object.keys(found).length > 0) names.set(name, { ...names.get(name), ...found });
  return Object.fromEntries(names);
}

/**
 * Maximum number of TXT names per email that are examined: those of its keys, policy records and SPF. A name
 * costs queries only if something about it is unusual, or if a fix may change its records.
 */
const MAX_LOOKS = 4 * MAX_NAMES;

/** Matches TXT records that serve one purpose and are published at a name of their own. */
const RECORD = /^\W*v\s*=\s*(?:dkim|dmarc|sts|tlsrpt|bimi|spf)|\bp\s*=/i;

/** Finds out whether a name with TXT records is an alias, gets them from a wildcard, or has an SPF record. */
async function lookAtTexts(resolver: Resolver, name: string, mayChange: boolean): Promise<DnsName> {
  const answer = await resolver.txt(name);
  if (answer.status === 'failed') return {};
  const [target, ...more] = answer.cnames;
  const texts = textsOf(answer);
  const isOdd = texts.length > 0 && !texts.some((text) => RECORD.test(text) && !isSpf(name, text));
  const isInherited =
    isPurpose(name) &&
    (mayChange || isOdd || target !== undefined) &&
    (await isFromWildcard(resolver, name, ['TXT']));
  const intendedTarget = target && (await targetWithout(resolver, name, target));
  const spf = texts.find(isSpfRecord);
  return {
    ...(spf !== undefined && { spf }),
    ...(target !== undefined && { alias: { target, end: more.at(-1) ?? target } }),
    ...(answer.beside && { beside: answer.beside }),
    ...(isInherited && { wildcard: [] }),
    ...(intendedTarget && { intendedTarget }),
  };
}

/**
 * Returns whether an SPF record is at a name such as `_dmarc`, which serves another purpose. SPF belongs at a
 * domain itself.
 */
const isSpf = (name: string, text: string): boolean =>
  isPurpose(name) && !name.startsWith('_spf.') && /^\W*v\s*=\s*spf/i.test(text);

/**
 * Returns the target that was intended. If a target lacks its final dot, the name of the zone is appended to
 * it. The name without the zone was intended if it resolves, or belongs to a known platform.
 */
async function targetWithout(
  resolver: Resolver,
  name: string,
  target: string,
): Promise<string | undefined> {
  const organization = organizationalDomain(name);
  for (const bare of withoutZones(target, zonesAbove(name))) {
    if (isUnder(bare, organization)) continue;
    // A name without a public suffix may belong to a private network, so it counts only if it resolves.
    if (platformOfName(bare) || (await resolver.txt(bare)).status === 'found') return bare;
  }
  return undefined;
}

/** Returns the domains above a name, up to its organizational domain. */
export const zonesAbove = (name: string): readonly string[] =>
  parentsOf(name).filter((zone) => isUnder(zone, organizationalDomain(name)));

/** Returns the names that were intended if a DNS panel appended one of these zones. */
export const withoutZones = (name: string, zones: readonly string[]): readonly string[] =>
  zones
    .filter((zone) => name.endsWith(`.${zone}`))
    .map((zone) => name.slice(0, -zone.length - 1))
    .filter((bare) => /\.[a-z]/.test(bare));

const parentsOf = (name: string): readonly string[] =>
  name.split('.').map((_, at, labels) => labels.slice(at + 1).join('.'));

/**
 * Looks up the addresses of a name to which a fix may assign one. The addresses are omitted if the lookup
 * failed.
 */
async function lookAtAddresses(resolver: Resolver, name: string): Promise<DnsName> {
  const answers = await Promise.all([
    resolver.addresses(name, 'A'),
    resolver.addresses(name, 'AAAA'),
  ]);
  if (answers.some(({ status }) => status === 'failed')) return {};
  return {
    addresses: answers.flatMap((answer) => (answer.status === 'found' ? answer.records : [])),
  };
}

/**
 * Finds out whether a name, or one between it and its domain, is delegated to someone else's name servers.
 */
async function lookAtServers(
  resolver: Resolver,
  name: string,
  nameServers: readonly string[],
): Promise<DnsName> {
  const organization = organizationalDomain(name);
  const zones = [name, ...parentsOf(name)].filter(
    (zone) => zone !== organization && isUnder(zone, organization),
  );
  const answers = await Promise.all(zones.map((zone) => resolver.names(zone, 'NS')));
  const own = new Set(nameServers.map(organizationalDomain));
  for (const [i, answer] of answers.entries()) {
    if (answer.status !== 'found' || answer.cnames.length > 0) continue;
    const servers = answer.records.filter(isDomainName);
    const isOthers = !servers.some((server) => own.has(organizationalDomain(server)));
    if (servers.length > 0 && isOthers)
      return { delegation: { zone: zones[i] ?? name, servers: servers.slice(0, 4).sort() } };
  }
  return {};
}
