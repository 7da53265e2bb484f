/** Answers DNS queries from a zone file, and from a resolver for the rest. */

import { createDnsView } from '../../adapters/dns/view.ts';
import { canonicalIp } from '../../analysis/addresses.ts';
import type { DnsAnswer, NewResolver, RecordType, Resolver, TlsaRecord } from '../../ports/dns.ts';
import type { Zone } from './zone.ts';
import type { ZoneFileRecord } from './zone-file.ts';

/** Number of CNAMEs that are followed for one query. Resolvers give up at about this number. */
const MAX_CNAMES = 16;

/** Where the DNS answers for an email come from. */
export interface DnsSources {
  /** The zone file, which is asked first. */
  readonly zone: Zone | null;
  /** The resolver that is asked for what the zone file does not contain; null if there is none. */
  readonly live: NewResolver | null;
  /** The server that is asked in that case, in words; empty if there is none. */
  readonly asked: string;
}

/**
 * Answers from a zone file, and from a resolver for the rest. Anything that neither of them knows is unknown.
 */
export function zoneResolver({
  zone,
  live: newLive,
}: Pick<DnsSources, 'zone' | 'live'>): NewResolver {
  return () => {
    // The client does not matter here: all lookups are the user's own.
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
    // Without a clock, so that the same file gives the same report.
    const { answered: _, ...view } = createDnsView(lookUp, { now: () => 0 });
    return {
      ...view,
      starved: live?.starved ?? new Promise<void>(() => {}),
      starve: () => live?.starve(),
      ...(live?.isServed && { isServed: live.isServed }),
    } satisfies Resolver;
  };
}

/** Returns an answer for the name at the end of a chain of aliases. */
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
