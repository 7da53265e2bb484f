import { createWindowCounts } from '../../domain/window-counts.ts';
import type { DnsConsumer } from '../../ports/dns.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Clients and tests remembered; beyond that the longest unseen is forgotten. */
const MAX_KEYS = 50_000;

export interface QueryBudgets {
  /** Queries that the mails of one client cause in a minute; 0: no limit. */
  readonly queriesPerClient?: number;
  /** Queries that the mails of one test cause in all; 0: no limit. */
  readonly queriesPerTest?: number;
}

/** Loopback is the operator. */
const isOperator = ({ ip }: DnsConsumer) => ip !== null && /^(?:127\.|::1$)/.test(ip);

/** What senders may make us ask, whatever domains they name: we are not to flood anybody. */
export function createQueryBudgets({ queriesPerClient = 0, queriesPerTest = 0 }: QueryBudgets) {
  const counts = createWindowCounts(MAX_KEYS);

  /** How many are left of the smallest budget after `by` more; below 0: it is spent. */
  function count(consumer: DnsConsumer | undefined, now: number, by: number): number {
    if (!consumer || isOperator(consumer)) return Number.MAX_SAFE_INTEGER;
    const { ip, testId } = consumer;
    const left = (limit: number, key: string | null, windowMs: number) =>
      limit === 0 || key === null
        ? Number.MAX_SAFE_INTEGER
        : limit - counts.add({ ip: key }, { limit, windowMs }, now, by).count;
    const ofTest = left(queriesPerTest, testId, DAY_MS);
    // What the test cannot have is not held against the client.
    return ofTest < 0 ? ofTest : Math.min(ofTest, left(queriesPerClient, ip, MINUTE_MS));
  }

  return {
    /** Takes some queries from the budgets; false: one of them is spent. */
    spend: (consumer: DnsConsumer | undefined, now: number, queries = 1): boolean =>
      count(consumer, now, queries) >= 0,
    /** Queries that may still be caused. */
    left: (consumer: DnsConsumer, now: number): number => Math.max(0, count(consumer, now, 0)),
  };
}
