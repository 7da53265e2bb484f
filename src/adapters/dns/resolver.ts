/**
 * Resolves DNS names for an email within the limits on its queries, with retries across all DNS servers, and
 * tells whether these servers answer at all.
 */

import { randomUUID } from 'node:crypto';
import { getServers } from 'node:dns';
import { networksOf } from '../../domain/fairness/networks.ts';
import type { DnsAnswer, DnsQuery, NewResolver, RecordType, Resolver } from '../../ports/dns.ts';
import { isOperator, MAX_QUERIES } from './budgets.ts';
import { queryServers, type RetryPolicy, toServer } from './exchange.ts';
import type { RecordData } from './message.ts';
import { createNewNames } from './new-names.ts';
import { createSilentZones } from './silent-zones.ts';
import { createPatience, createSlots } from './slots.ts';
import { createDnsView } from './view.ts';

/** Maximum number of concurrent queries for one email. Our resolver may limit each client's rate. */
const MAX_IN_FLIGHT = 32;

/** How long one email waits for slots in total, in milliseconds. After that, its sender should try again. */
const MAX_WAIT_MS = 2000;

const RETRY: RetryPolicy = { timeoutMs: 2000, tries: 2 };

export interface ResolverOptions extends Partial<RetryPolicy> {
  /** Addresses of the form `ip:port`. If there are none, the system's resolvers are used. */
  readonly servers: readonly string[];
  /** True if the resolvers check DNSSEC signatures and nobody on the path to them can change an answer. */
  readonly validates?: boolean;
  readonly maxQueries?: number;
  readonly maxInFlight?: number;
  /** Returns the registered domain above a name. Its servers count as silent together. */
  readonly zoneOf?: (name: string) => string;
  readonly maxWaitMs?: number;
  readonly promptMs?: number;
  /** Zones that we choose to query instead of the sender. Their names are not limited. */
  readonly ownZones?: readonly string[];
  /** A zone of our own, under which no name is in a cache yet. Default: the root. */
  readonly controlZone?: string;
  /** Counts the new names that all threads look up. */
  readonly newNames?: Int32Array<SharedArrayBuffer>;
  /** Counts the concurrent queries of all threads that share it. */
  readonly inFlight?: Int32Array<SharedArrayBuffer>;
  /** Called once for each query, for metrics. */
  readonly onQuery?: (query: DnsQuery) => void;
}

/** Makes the DNS view of one email at a time. Each try uses the next server in turn. */
export function createNewResolver(options: ResolverOptions): NewResolver {
  const servers = (options.servers.length > 0 ? options.servers : getServers()).map(toServer);
  const retry = { ...RETRY, ...options };
  const { maxQueries = MAX_QUERIES, maxInFlight = MAX_IN_FLIGHT, onQuery } = options;
  const { maxWaitMs = MAX_WAIT_MS } = options;

  const slots = createSlots(options.inFlight, options.promptMs);
  const zoneOf = options.zoneOf ?? ((name: string) => name);
  const zones = createSilentZones(zoneOf);
  const newNames = createNewNames(zoneOf, options.newNames);
  const isOwn = (name: string) =>
    name.endsWith('.arpa') || options.ownZones?.some((zone) => name.endsWith(`.${zone}`)) === true;
  const { controlZone = '' } = options;
  const isServed = createControl(() =>
    queryServers(servers, `${randomUUID()}.${controlZone}`, 'A', retry),
  );

  return (consumer) => {
    const isLimited = consumer !== undefined && !isOperator(consumer);
    const mailSlot = createLimit(maxInFlight);
    const patience = createPatience(maxWaitMs);
    const path = consumer ? [...networksOf(consumer.ip), consumer.testId] : ['service'];
    const { promise: starved, resolve: starve } = Promise.withResolvers<void>();

    const queryInTurn = async (name: string, type: RecordType): Promise<DnsAnswer<RecordData>> => {
      if (zones.isSilent(name, performance.now())) return { status: 'failed', error: 'TIMEOUT' };
      const isAdmitted =
        !isLimited || isOwn(name) || newNames.admit(name, type, path[0] ?? '', Date.now());
      const slot = isAdmitted ? await slots.acquire(path, patience) : undefined;
      if (!slot) {
        starve();
        return { status: 'failed', error: 'OVERLOADED' };
      }
      const since = performance.now();
      try {
        const answer = await queryServers(servers, name, type, retry);
        zones.note(name, answer.status !== 'failed', since, performance.now());
        return answer;
      } finally {
        slot.release();
      }
    };
    const answer = async (name: string, type: RecordType) =>
      withTrust(await mailSlot(() => queryInTurn(name, type)), options.validates === true);
    return {
      ...createDnsView(answer, { maxQueries, onQuery }),
      starved,
      starve,
      isServed,
    } satisfies Resolver;
  };
}

/** A server's statement about signatures counts only if the operator says that it checks them. */
function withTrust(answer: DnsAnswer<RecordData>, validates: boolean): DnsAnswer<RecordData> {
  if (answer.status === 'failed') return answer;
  const { secure = false, ...rest } = answer;
  return validates ? { ...rest, secure } : rest;
}

/** How long an answer to the control query is valid for all emails, in milliseconds. */
const CONTROL_MS = 1000;

/**
 * Returns whether our resolvers answer at the moment. The control query is sent at most once per
 * `CONTROL_MS`. An answer that the name does not exist counts too.
 */
function createControl(ask: () => Promise<DnsAnswer<RecordData>>) {
  let at = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(true);
  return (): Promise<boolean> => {
    if (performance.now() - at < CONTROL_MS) return answer;
    at = performance.now();
    answer = ask().then(({ status }) => status !== 'failed');
    return answer;
  };
}

/** Lets `limit` tasks proceed at a time; the others wait in line. */
function createLimit(limit: number) {
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
