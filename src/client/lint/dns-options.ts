/**
 * Declares the options that name sources of DNS records, such as a zone file or a resolver, and opens these
 * sources.
 */

import { getServers } from 'node:dns';
import type { ParseArgsOptionsConfig } from 'node:util';
import { createNewResolver } from '../../adapters/dns/resolver.ts';
import { toDomain } from '../../analysis/names/domain-names.ts';
import { usageError } from '../exit.ts';
import { readOwnFile } from '../files.ts';
import { createZone, type Zone } from './zone.ts';
import { parseZoneFile } from './zone-file.ts';
import type { DnsSources } from './zone-resolver.ts';

export const dnsOptions = {
  dns: { type: 'string' },
  'whole-zone': { type: 'string', multiple: true },
  resolver: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

interface Values {
  readonly dns?: string | undefined;
  readonly 'whole-zone'?: readonly string[] | undefined;
  readonly resolver?: string | undefined;
  readonly validates?: boolean | undefined;
}

/**
 * Opens the sources of DNS records that the command line names.
 * @throws CommandError
 */
export const toDnsSources = ({
  dns,
  'whole-zone': whole,
  resolver,
  validates,
}: Values): DnsSources =>
  dnsSources({
    zone: dns === undefined ? undefined : readOwnFile(dns, `The zone file ${dns}`).toString(),
    wholeZones: whole,
    resolver,
    validates,
  });

/** The text of a zone file, and the DNS server to query. */
export interface DnsOptions {
  readonly zone?: string | undefined;
  readonly wholeZones?: readonly string[] | undefined;
  readonly resolver?: string | undefined;
  /** True if the DNS server checks DNSSEC signatures and nobody on the path to it can change an answer. */
  readonly validates?: boolean | undefined;
}

/**
 * Opens the sources of DNS records.
 * @throws CommandError
 */
export function dnsSources({
  zone,
  wholeZones = [],
  resolver,
  validates = false,
}: DnsOptions): DnsSources {
  if (wholeZones.length > 0 && zone === undefined)
    throw usageError('--whole-zone needs a zone file: add --dns ZONE.');
  return {
    zone: zone === undefined ? null : toZone(zone, wholeZones.map(toZoneName)),
    live:
      resolver === undefined
        ? null
        : createNewResolver({ servers: toServers(resolver), validates }),
    asked: resolver === undefined ? '' : serversInWords(resolver),
  };
}

function toZone(text: string, whole: readonly string[]): Zone {
  const records = parseZoneFile(text);
  // A misspelt zone name is an error, because it would leave everything unknown or make everything count as
  // absent.
  const empty = whole.find(
    (zone) => zone !== '.' && !records.some(({ name }) => `.${name}`.endsWith(`.${zone}`)),
  );
  if (empty !== undefined)
    throw usageError(`--whole-zone: the zone file contains no record of ${empty}.`);
  return createZone(records, whole);
}

function toZoneName(text: string): string {
  const name = text === '.' ? text : toDomain(text);
  if (name === null) throw usageError(`--whole-zone must be a domain name, not ${text}.`);
  return name;
}

/** Matches `HOST`, `HOST:PORT` or `[IPv6]:PORT`. An IPv6 address without a port needs no brackets. */
const SERVER =
  /^(?:\[[0-9a-f:.]+\](?::\d{1,5})?|[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*|[a-z0-9._-]+(?::\d{1,5})?)$/i;

function serversInWords(resolver: string): string {
  if (resolver !== 'system') return `The --resolver DNS server ${resolver}`;
  const servers = getServers();
  return `The DNS ${servers.length > 1 ? 'servers' : 'server'} of this machine (${servers.join(', ')})`;
}

/**
 * Returns the DNS servers to query. The list is empty for `system`, so that this machine's own servers are
 * used.
 */
function toServers(text: string): readonly string[] {
  if (text === 'system') return [];
  const port = Number(/(?:^[^:]*|\]):(\d+)$/.exec(text)?.[1] ?? 53);
  if (!SERVER.test(text) || port < 1 || port > 65_535)
    throw usageError(`--resolver must be HOST, HOST:PORT or system, not ${text}.`);
  return [text];
}
