import { canonicalIp } from '../../analysis/addresses.ts';
import type {
  DnsAnswer,
  DnsQuery,
  NewResolver,
  RecordType,
  Resolver,
  TlsaRecord,
} from '../../ports/dns.ts';
import type { Zone } from './zone.ts';
import type { ZoneFileRecord } from './zone-file.ts';

/** CNAMEs followed for one query; resolvers give up about there. */
const MAX_CNAMES = 16;

const bare = (name: string) => name.toLowerCase().replace(/(?<=.)\.$/, '');

/** Where the DNS of a mail comes from. */
export interface DnsSources {
  /** Asked first. */
  readonly zone: Zone | null;
  /** Asked for what the zone file does not say; null: nobody is asked. */
  readonly live: NewResolver | null;
}

/** The DNS as a zone file has it, and a resolver for the rest; what neither says is not known. */
export function zoneResolver({ zone, live: newLive }: DnsSources): NewResolver {
  return () => {
    // Whose lookups they are says nothing here: all are the person's own.
    const live = newLive?.();
    const answers = new Map<string, Promise<DnsAnswer<unknown>>>();
    const trace: DnsQuery[] = [];

    const lookUp = async (asked: string, type: RecordType): Promise<DnsAnswer<unknown>> => {
      const cnames: string[] = [];
      let name = asked;
      while (cnames.length <= MAX_CNAMES) {
        const held = zone?.answer(name, type);
        if (!held) return (await live?.ask(name, type).then(behind(cnames))) ?? notSaid(zone);
        if (held.status === 'found')
          return { status: 'found', records: held.records.map(toRecord), cnames };
        if (held.status !== 'alias') return { status: held.status, cnames };
        name = held.target;
        cnames.push(name);
      }
      return { status: 'failed', error: 'CNAME_CHAIN' };
    };
    const askOnce = async (name: string, type: RecordType) => {
      const answer = await lookUp(name, type);
      const outcome = answer.status === 'failed' ? answer.error : answer.status;
      const alias = answer.status === 'failed' ? undefined : answer.cnames.at(-1);
      trace.push({ name, type, outcome, milliseconds: 0, ...(alias && { alias }) });
      return answer;
    };
    const ask = (name: string, type: RecordType): Promise<DnsAnswer<unknown>> => {
      const key = `${type} ${bare(name)}`;
      const answer = answers.get(key) ?? askOnce(bare(name), type);
      answers.set(key, answer);
      return answer;
    };
    // The type asked for decides the shape of the data.
    const typed = <R>(name: string, type: RecordType) => ask(name, type) as Promise<DnsAnswer<R>>;
    return {
      txt: (name, type = 'TXT') => typed(name, type),
      addresses: typed,
      mx: (name) => typed(name, 'MX'),
      names: typed,
      ask,
      trace,
      starved: live?.starved ?? new Promise<void>(() => {}),
      starve: () => live?.starve(),
      ...(live?.isServed && { isServed: live.isServed }),
    } satisfies Resolver;
  };
}

/** An answer for the name at the end of these aliases. */
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
