import { canonicalIp } from '../../analysis/addresses.ts';
import { organizationalDomain } from '../../analysis/names/domain-names.ts';
import type { DnsAnswer, DnsQuery, NewResolver, RecordType } from '../../ports/dns.ts';
import type { ZoneFileRecord } from './zone-file.ts';

/** CNAMEs followed for one query; resolvers give up about there. */
const MAX_CNAMES = 16;

/** What a name outside of the file is answered: nobody was asked. */
const NOT_ASKED: DnsAnswer<never> = { status: 'failed', error: 'not checked' };

const bare = (name: string) => name.toLowerCase().replace(/(?<=.)\.$/, '');

/**
 * The DNS as a zone file has it. A domain with a record in it is answered from it alone, with every name
 * below, so that what it lacks does not exist; nothing is known of other domains. A record of the root
 * makes the file the whole DNS.
 *
 * @param records none: nothing is known at all
 */
export function zoneResolver(records: readonly ZoneFileRecord[]): NewResolver {
  const byName = Map.groupBy(records, ({ name }) => name);
  // A name with names below it exists without records of its own (RFC 8020).
  const existing = new Set([...byName.keys()].flatMap(parentsOf));
  const covered = new Set([...byName.keys()].map(organizationalDomain));
  const isWhole = byName.has('.');
  const isCovered = (name: string) => isWhole || covered.has(organizationalDomain(name));

  const lookUp = (asked: string, type: RecordType): DnsAnswer<unknown> => {
    const cnames: string[] = [];
    let name = asked;
    while (cnames.length <= MAX_CNAMES) {
      if (!isCovered(name)) return NOT_ASKED;
      const held = byName.get(name) ?? [];
      const alias = type === 'CNAME' ? undefined : held.find((one) => one.type === 'CNAME');
      if (!alias) {
        const found = held.filter((one) => one.type === type).map(toRecord);
        if (found.length > 0) return { status: 'found', records: found, cnames };
        return { status: held.length > 0 || existing.has(name) ? 'nodata' : 'nxdomain', cnames };
      }
      name = alias.fields[0] ?? '';
      cnames.push(name);
    }
    return { status: 'failed', error: 'CNAME_CHAIN' };
  };

  return () => {
    const answers = new Map<string, DnsAnswer<unknown>>();
    const trace: DnsQuery[] = [];
    const ask = async (name: string, type: RecordType): Promise<DnsAnswer<unknown>> => {
      const key = `${type} ${bare(name)}`;
      const known = answers.get(key);
      if (known) return known;
      const answer = lookUp(bare(name), type);
      answers.set(key, answer);
      const outcome = answer.status === 'failed' ? answer.error : answer.status;
      const alias = answer.status === 'failed' ? undefined : answer.cnames.at(-1);
      trace.push({ name: bare(name), type, outcome, milliseconds: 0, ...(alias && { alias }) });
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
      starved: new Promise(() => {}),
      starve: () => {},
    };
  };
}

const parentsOf = (name: string): string[] =>
  name.split('.').map((_, from, labels) => labels.slice(from).join('.'));

function toRecord({ type, fields }: ZoneFileRecord): unknown {
  if (type === 'TXT' || type === 'SPF') return fields;
  if (type === 'MX') return { preference: Number(fields[0]), exchange: fields[1] };
  return type === 'AAAA' ? (canonicalIp(fields[0] ?? '') ?? fields[0]) : fields[0];
}
