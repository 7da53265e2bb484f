/** Provides DNS resolvers that answer from a zone in memory. */

import type { DnsAnswer, MxRecord, Resolver } from '../../../src/ports/dns.ts';
import { answerFromZone, type Zone, type ZoneRecord } from '../../environment/dns-zone.ts';

/** CNAMEs followed per query, as in the service's own resolver. */
const MAX_CNAMES = 8;

const bare = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** Returns the `ask` of a resolver that knows only this zone. */
export const askZone =
  (zone: Zone): Resolver['ask'] =>
  async (name, type): Promise<DnsAnswer<unknown>> => {
    const answer = answerFromZone(zone, bare(name), type);
    if (!('records' in answer)) return { status: 'failed', error: answer.rcode };
    const cnames = answer.records.filter((record) => record.type === 'CNAME' && type !== 'CNAME');
    if (cnames.length > MAX_CNAMES) return { status: 'failed', error: 'CNAME_LIMIT' };
    const targets = cnames.map(({ value }) => String(value));
    const records = answer.records.filter((record) => record.type === type).map(toRecord);
    if (records.length > 0) return { status: 'found', records, cnames: targets };
    return { status: answer.rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata', cnames: targets };
  };

function toRecord({ type, value }: ZoneRecord): unknown {
  if (type === 'TXT' || type === 'SPF') return typeof value === 'string' ? [value] : value;
  return type === 'MX' ? toMx(String(value)) : String(value);
}

function toMx(text: string): MxRecord {
  const [preference = '', exchange = ''] = text.split(' ');
  return { preference: Number(preference), exchange };
}

/** Returns the complete port for one `ask`, for code that needs it. The trace stays empty. */
export function resolverOf(ask: Resolver['ask']): Resolver {
  const typed = <R>(name: string, type: Parameters<Resolver['ask']>[1]) =>
    ask(name, type) as Promise<DnsAnswer<R>>;
  return {
    ask,
    txt: (name, type = 'TXT') => typed(name, type),
    addresses: typed,
    mx: (name) => typed(name, 'MX'),
    names: typed,
    trace: [],
    starved: new Promise(() => {}),
    starve: () => {},
  };
}
