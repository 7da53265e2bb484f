/** Finds out which names get their records from a wildcard, and which records a host gets from one. */

import { textsOf } from '../analysis/dns-answer.ts';
import type { DnsName } from '../analysis/names/facts.ts';
import type { DnsAnswer, RecordType, Resolver } from '../ports/dns.ts';

/** Returns the wildcard that may answer for a name. */
export const wildcardOver = (name: string): string => `*.${name.slice(name.indexOf('.') + 1)}`;

/**
 * Returns whether a name gets all its records of these types from a wildcard. The wildcard then also answers
 * below the name, which it never does below a name that has a record of its own (RFC 4592 §3.3.1).
 */
export async function isFromWildcard(
  resolver: Resolver,
  name: string,
  types: readonly RecordType[],
): Promise<boolean> {
  const at = (place: string) => Promise.all(types.map((type) => resolver.ask(place, type)));
  const [own, above] = await Promise.all([at(name), at(wildcardOver(name))]);
  const isGiven = own.some((one, i) => isFound(one) && isFound(above[i]));
  if (!isGiven || own.some((one, i) => isOther(one, above[i]))) return false;
  const below = await at(`*.${name}`);
  return !own.some((one, i) => isOther(one, below[i]));
}

const isFound = (answer: DnsAnswer<unknown> | undefined): boolean => contentOf(answer).length > 0;

/** Returns whether two answers are known to differ, in any order of their records. */
const isOther = (one: DnsAnswer<unknown>, other: DnsAnswer<unknown> | undefined): boolean =>
  one.status !== 'failed' &&
  other?.status !== 'failed' &&
  contentOf(one).join('\n') !== contentOf(other).join('\n');

/** Returns the alias and the records in an answer, in a form that can be compared. */
const contentOf = (answer: DnsAnswer<unknown> | undefined): readonly string[] =>
  answer === undefined || answer.status === 'failed'
    ? []
    : [
        ...answer.cnames.slice(0, 1),
        ...(answer.status === 'found'
          ? answer.records.map((record) => JSON.stringify(record)).sort()
          : []),
      ];

/** The types of records that a host may get from a wildcard. */
const HOST_TYPES = ['A', 'AAAA', 'MX', 'TXT'] as const;

/**
 * Finds out which records a host gets from a wildcard. If the host has a record of its own, it gets none (RFC
 * 4592 §2.2.1).
 */
export async function lookAtHost(resolver: Resolver, host: string): Promise<DnsName> {
  const first = await resolver.addresses(wildcardOver(host), 'A');
  if (first.status === 'nxdomain' || first.status === 'failed') return {};
  if (!(await isFromWildcard(resolver, host, HOST_TYPES))) return {};
  const [addresses, mx, texts] = await Promise.all([
    addressesAt(resolver, host),
    resolver.mx(host),
    resolver.txt(host),
  ]);
  const exchanges = mx.status === 'found' ? mx.records : [];
  return {
    wildcard: [
      ...addresses,
      ...exchanges.map((one) => ({ type: 'MX', value: `${one.preference} ${one.exchange}` })),
      ...textsOf(texts).map((value) => ({ type: 'TXT', value })),
    ],
  };
}

async function addressesAt(resolver: Resolver, name: string) {
  const types = ['A', 'AAAA'] as const;
  const answers = await Promise.all(types.map((type) => resolver.addresses(name, type)));
  return answers.flatMap((answer, i) =>
    answer.status === 'found'
      ? answer.records.map((value) => ({ type: types[i] ?? 'A', value }))
      : [],
  );
}
