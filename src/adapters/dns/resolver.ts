import { getServers } from 'node:dns';
import type {
  DnsAnswer,
  DnsQuery,
  MxRecord,
  NewResolver,
  RecordType,
  Resolver,
} from '../../ports/dns.ts';
import { parseServer, queryServers, type RetryPolicy } from './exchange.ts';
import type { RecordData } from './message.ts';

/** Distinct queries a mail may cause: ten signatures, three tree walks and a large SPF need 200. */
const MAX_QUERIES = 300;

/** Queries of one mail in flight at once: a resolver in front limits a client's rate. */
const MAX_IN_FLIGHT = 32;

/** The same for all mails together: more overflow socket buffers, and time out for no fault. */
const MAX_IN_FLIGHT_TOGETHER = 256;

const RETRY: RetryPolicy = { timeoutMs: 2000, tries: 2 };

export interface ResolverOptions extends Partial<RetryPolicy> {
  /** `ip:port`; none: the system's. */
  readonly servers: readonly string[];
  readonly maxQueries?: number;
  readonly maxInFlight?: number;
  /** Called once for each query, for metrics. */
  readonly onQuery?: (query: DnsQuery) => void;
}

/** Makes the DNS view of one mail at a time. Of all servers, each try takes the next. */
export function createNewResolver(options: ResolverOptions): NewResolver {
  const servers = (options.servers.length > 0 ? options.servers : getServers()).map(parseServer);
  const retry = { ...RETRY, ...options };
  const { maxQueries = MAX_QUERIES, maxInFlight = MAX_IN_FLIGHT, onQuery } = options;

  const slotOfAll = createSlots(MAX_IN_FLIGHT_TOGETHER);

  return () => {
    const asked = new Map<string, Promise<DnsAnswer<RecordData>>>();
    const trace: DnsQuery[] = [];
    const slot = createSlots(maxInFlight);

    const askOnce = async (name: string, type: RecordType) => {
      const before = performance.now();
      const answer = await slot(() => slotOfAll(() => queryServers(servers, name, type, retry)));
      const milliseconds = Math.round(performance.now() - before);
      const outcome = answer.status === 'failed' ? answer.error : answer.status;
      const alias = answer.status === 'failed' ? undefined : answer.cnames.at(-1);
      const query = { name, type, outcome, milliseconds, ...(alias && { alias }) };
      trace.push(query);
      onQuery?.(query);
      return freeze(answer);
    };
    const lookUp = (name: string, type: RecordType): Promise<DnsAnswer<RecordData>> => {
      const bare = name.toLowerCase().replace(/(?<=.)\.$/, '');
      const key = `${type} ${bare}`;
      const known = asked.get(key);
      if (known) return known;
      if (asked.size >= maxQueries)
        return Promise.resolve({ status: 'failed', error: 'QUERY_LIMIT' });
      const answer = askOnce(bare, type);
      asked.set(key, answer);
      return answer;
    };

    // The type asked for decides the shape of the data.
    return {
      txt: (name, type = 'TXT') => lookUp(name, type) as Promise<DnsAnswer<readonly string[]>>,
      addresses: (name, type) => lookUp(name, type) as Promise<DnsAnswer<string>>,
      mx: (name) => lookUp(name, 'MX') as Promise<DnsAnswer<MxRecord>>,
      names: (name, type) => lookUp(name, type) as Promise<DnsAnswer<string>>,
      ask: lookUp,
      trace,
    } satisfies Resolver;
  };
}

function freeze(answer: DnsAnswer<RecordData>): DnsAnswer<RecordData> {
  if (answer.status === 'found') for (const record of answer.records) Object.freeze(record);
  if (answer.status === 'found') Object.freeze(answer.records);
  return Object.freeze(answer);
}

/** Lets `limit` at a time go; the others wait in line. */
function createSlots(limit: number) {
  let free = limit;
  const line: (() => void)[] = [];
  return async <T>(go: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await go();
    } finally {
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
