import { createWindowCounts } from '../../domain/window-counts.ts';
import type { DnsConsumer } from '../../ports/dns.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Clients and tests remembered; beyond that the longest unseen is forgotten. */
const MAX_KEYS = 50_000;

/** Distinct queries a mail may cause: ten signatures, three tree walks and a large SPF need 200. */
export const MAX_QUERIES = 300;

export interface QueryBudgets {
  /** Queries that the mails of one client cause in a minute; 0: no limit. */
  readonly queriesPerClient: number;
  /** Queries that the mails of one test cause in all; 0: no limit. */
  readonly queriesPerTest: number;
}

/** Loopback is the operator. */
export const isOperator = ({ ip }: DnsConsumer) => ip !== null && /^(?:127\.|::1$)/.test(ip);

/**
 * What senders may make us ask, whatever domains they name: we are not to flood anybody. A mail takes
 * all that it may need before it is read, and gives back the rest: none runs short halfway.
 */
export function createQueryBudgets({ queriesPerClient, queriesPerTest }: QueryBudgets) {
  const counts = createWindowCounts(MAX_KEYS);

  const budgetsOf = (consumer: DnsConsumer) =>
    isOperator(consumer)
      ? []
      : [
          { key: consumer.testId, limit: queriesPerTest, windowMs: DAY_MS },
          { key: consumer.ip, limit: queriesPerClient, windowMs: MINUTE_MS },
        ].filter(({ key, limit }) => key !== null && limit > 0);

  const count = (budget: ReturnType<typeof budgetsOf>[number], now: number, by: number) =>
    counts.add({ ip: budget.key ?? '' }, budget, now, by).count;

  return {
    /** Takes what a mail may need; false: one of the budgets has less, and nothing is taken. */
    reserve(consumer: DnsConsumer, now: number): boolean {
      const budgets = budgetsOf(consumer);
      const fits = budgets.every((one) => count(one, now, 0) + MAX_QUERIES <= one.limit);
      if (fits) for (const budget of budgets) count(budget, now, MAX_QUERIES);
      return fits;
    },
    /** Gives back what a mail did not use. */
    giveBack(consumer: DnsConsumer, now: number, used: number): void {
      for (const budget of budgetsOf(consumer)) count(budget, now, used - MAX_QUERIES);
    },
  };
}
