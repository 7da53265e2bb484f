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

/** What senders may make us ask, whatever domains they name: we are not to flood anybody. */
export function createQueryBudgets({ queriesPerClient = 0, queriesPerTest = 0 }: QueryBudgets) {
  const counts = createWindowCounts(MAX_KEYS);
  const isWithin = (limit: number, key: string, windowMs: number, now: number) =>
    limit === 0 || counts.add({ ip: key }, { limit, windowMs }, now).count <= limit;

  /** Takes one query from the budgets; false: one of them is spent. Loopback is the operator. */
  return (consumer: DnsConsumer | undefined, now: number): boolean => {
    if (!consumer) return true;
    const { ip, testId } = consumer;
    const isOperator = ip !== null && /^(?:127\.|::1$)/.test(ip);
    return (
      isOperator ||
      (isWithin(queriesPerTest, testId, DAY_MS, now) &&
        (ip === null || isWithin(queriesPerClient, ip, MINUTE_MS, now)))
    );
  };
}
