/**
 * Gives an email one consistent view of the DNS: looks up each name and type once, within a limit, and
 * records each query.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DnsAnswer, DnsQuery, MxRecord, RecordType, Resolver } from '../../ports/dns.ts';

interface Options {
  readonly maxQueries?: number;
  /** Called once for each query, for metrics. */
  readonly onQuery?: ((query: DnsQuery) => void) | undefined;
  /** Returns the time in milliseconds. */
  readonly now?: () => number;
}

/**
 * The DNS as one email sees it, from servers or from a zone file: every name and type is looked up once, and
 * its answer does not change after that.
 */
export function createDnsView(
  answer: (name: string, type: RecordType) => Promise<DnsAnswer<unknown>>,
  { maxQueries = Number.POSITIVE_INFINITY, onQuery, now = () => performance.now() }: Options = {},
) {
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>();
  const trace: DnsQuery[] = [];

  async function askOnce(name: string, type: RecordType): Promise<DnsAnswer<unknown>> {
    const before = now();
    const found = await answer(name, type);
    const milliseconds = Math.round(now() - before);
    const outcome = found.status === 'failed' ? found.error : found.status;
    const alias = found.status === 'failed' ? undefined : found.cnames.at(-1);
    const query = { name, type, outcome, milliseconds, ...(alias && { alias }) };
    trace.push(query);
    onQuery?.(query);
    return freeze(found);
  }

  function ask(name: string, type: RecordType): Promise<DnsAnswer<unknown>> {
    const bare = name.toLowerCase().replace(/(?<=.)\.$/, '');
    const key = `${type} ${bare}`;
    const known = asked.get(key);
    if (known) return known;
    if (asked.size >= maxQueries)
      return Promise.resolve({ status: 'failed', error: 'QUERY_LIMIT' });
    const found = askOnce(bare, type);
    asked.set(key, found);
    return found;
  }

  // The queried type decides the shape of the data.
  const typed = <R>(name: string, type: RecordType) => ask(name, type) as Promise<DnsAnswer<R>>;
  return {
    txt: (name, type = 'TXT') => typed(name, type),
    addresses: typed,
    mx: (name) => typed<MxRecord>(name, 'MX'),
    names: typed,
    ask,
    trace,
    async answered() {
      do {
        await Promise.all(asked.values());
        // Queries that follow from these answers begin in the next turn of the event loop.
        await nextTurn();
      } while (trace.length < asked.size);
    },
  } satisfies Partial<Resolver>;
}

function freeze(answer: DnsAnswer<unknown>): DnsAnswer<unknown> {
  if (answer.status === 'found') for (const record of answer.records) Object.freeze(record);
  if (answer.status === 'found') Object.freeze(answer.records);
  return Object.freeze(answer);
}
