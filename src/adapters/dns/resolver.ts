import { getServers } from 'node:dns';
import type {
  DnsAnswer,
  DnsQuery,
  MxRecord,
  NewResolver,
  RecordType,
  Resolver,
} from '../../ports/dns.ts';
import { ask, type Patience, parseServer } from './exchange.ts';
import type { RecordData } from './message.ts';

/** Distinct questions a mail may cause: ten signatures, three tree walks and a large SPF need 200. */
const MAX_QUESTIONS = 300;

/** Questions of one mail under way at once: a resolver in front limits a client's rate. */
const MAX_IN_FLIGHT = 32;

/** The same for all mails together: more overflow socket buffers, and time out for no fault. */
const MAX_IN_FLIGHT_TOGETHER = 256;

const PATIENCE: Patience = { timeoutMs: 2000, tries: 2 };

export interface ResolverOptions extends Partial<Patience> {
  /** `ip:port`; none: the system's. */
  readonly servers: readonly string[];
  readonly maxQueries?: number;
  readonly maxInFlight?: number;
  /** Called once for each question, for metrics. */
  readonly onQuery?: (question: DnsQuery) => void;
}

/** Makes the DNS view of one mail at a time. Of all servers, each try takes the next. */
export function createNewResolver(options: ResolverOptions): NewResolver {
  const servers = (options.servers.length > 0 ? options.servers : getServers()).map(parseServer);
  const patience = { ...PATIENCE, ...options };
  const { maxQueries = MAX_QUESTIONS, maxInFlight = MAX_IN_FLIGHT, onQuery } = options;

  const turnOfAll = createTurns(MAX_IN_FLIGHT_TOGETHER);

  return () => {
    const asked = new Map<string, Promise<DnsAnswer<RecordData>>>();
    const trace: DnsQuery[] = [];
    const turn = createTurns(maxInFlight);

    const askOnce = async (name: string, type: RecordType) => {
      const before = performance.now();
      const answer = await turn(() => turnOfAll(() => ask(servers, name, type, patience)));
      const milliseconds = Math.round(performance.now() - before);
      const outcome = answer.status === 'failed' ? answer.error : answer.status;
      const alias = answer.status === 'failed' ? undefined : answer.cnames.at(-1);
      const question = { name, type, outcome, milliseconds, ...(alias && { alias }) };
      trace.push(question);
      onQuery?.(question);
      return freeze(answer);
    };
    const look = (name: string, type: RecordType): Promise<DnsAnswer<RecordData>> => {
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
      txt: (name, type = 'TXT') => look(name, type) as Promise<DnsAnswer<readonly string[]>>,
      addresses: (name, type) => look(name, type) as Promise<DnsAnswer<string>>,
      mx: (name) => look(name, 'MX') as Promise<DnsAnswer<MxRecord>>,
      names: (name, type) => look(name, type) as Promise<DnsAnswer<string>>,
      ask: look,
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
function createTurns(limit: number) {
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
