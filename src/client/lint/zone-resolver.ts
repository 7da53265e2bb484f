/** Answers DNS queries from a zone file, and asks a resolver for records that the file does not contain. */

import { createDnsView } from '../../adapters/dns/view.ts';
import { canonicalIp } from '../../analysis/addresses.ts';
import type { DnsAnswer, NewResolver, RecordType, Resolver, TlsaRecord } from '../../ports/dns.ts';
import type { Zone } from './zone.ts';
import type { ZoneFileRecord } from './zone-file.ts';

/**
 * Maximum number of CNAMEs that are followed for one query, which is about the limit of common resolvers.
 */
const MAX_CNAMES = 16;

/** The sources of the DNS answers for an email. */
export interface DnsSources {
  /** The zone file, which is searched first; null if there is none. */
  readonly zone: Zone | null;
  /** Creates the resolver for records that the zone file does not contain; null if there is none. */
  readonly live: NewResolver | null;
  /** The name of that resolver's DNS server in words; empty if there is none. */
  readonly asked: string;
}

/**
 * Creates a resolver that answers from a zone file, and asks another resolver for the rest. An answer that
 * neither of them has is unknown.
 */
export function zoneResolver({
  zone,
  live: newLive,
}: Pick<DnsSources, 'zone' | 'live'>): NewResolver {
  return () => {
    // The resolver needs no client address, because all lookups are the user's own.
    const live = newLive?.();
    const lookUp = async (asked: string, type: RecordType): Promise<DnsAnswer<unknown>> => {
      const cnames: string[] = [];
      let name = asked;
      let way: { readonly cnames: readonly string[]; readonly beside?: readonly string[] } = {
        cnames,
      };
      while (cnames.length <= MAX_CNAMES) {
        const held = zone?.answer(name, type);
        if (!held) return (await live?.ask(name, type).then(behind(cnames))) ?? notSaid(zone);
        if (held.status === 'found')
          return { status: 'found', records: held.records.map(toRecord), ...way };
        if (held.status !== 'alias') return { status: held.status, ...way };
        if (name === asked && held.beside.length > 0) way = { cnames, beside: held.beside };
        name = held.target;
        cnames.push(name);
      }
      return { status: 'failed', error: 'CNAME_CHAIN' };
    };
    // The clock always shows 0, so that the same file gives the same report.
    const { answered: _, ...view } = createDnsView(lookUp, { now: () => 0 });
    return {
      ...view,
      starved: live?.starved ?? new Promise<void>(() => {}),
      starve: () => live?.starve(),
      ...(live?.isServed && { isServed: live.isServed }),
    } satisfies Resolver;
  };
}

/** Adds the aliases that were followed to the answer for the last name. */
const behind =
  (cnames: readonly string[]) =>
  (answer: DnsAnswer<unknown>): DnsAnswer<unknown> =>
    answer.status === 'failed' ? answer : { ...answer, cnames: [...cnames, ...answer.cnames] };

const notSaid = (zone: Zone | null): DnsAnswer<never> => ({
  status: 'failed',
  error: zone ? 'not in the zone file' : 'not checked',
  unasked: true,
});

function toTlsa([usage, selector, matching, ...data]: readonly string[]): TlsaRecord {
  return {
    ...{ usage: Number(usage), selector: Number(selector), matching: Number(matching) },
    data: data.join('').toLowerCase(),
  };
}

function toRecord({ type, fields }: ZoneFileRecord): unknown {
  if (type === 'TXT' || type === 'SPF') return fields;
  if (type === 'TLSA') return toTlsa(fields);
  if (type === 'MX') return { preference: Number(fields[0]), exchange: fields[1] };
  return type === 'AAAA' ? (canonicalIp(fields[0] ?? '') ?? fields[0]) : fields[0];
}
