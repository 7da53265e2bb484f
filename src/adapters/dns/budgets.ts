/**
 * Limits how many DNS queries a single email, all emails of one test, one client and its network can cause.
 */

import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import type { DnsConsumer } from '../../ports/dns.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Number of distinct queries that an email may cause. Ten signatures, three tree walks and a large SPF record
 * need 200.
 */
export const MAX_QUERIES = 300;

export interface QueryBudgets {
  /** Number of queries per minute that the emails of one client may cause; 0 means no limit. */
  readonly queriesPerClient: number;
  /** Number of queries that all emails of one test may cause together; 0 means no limit. */
  readonly queriesPerTest: number;
}

/** A client on a loopback address is the operator. */
export const isOperator = ({ ip }: DnsConsumer) => ip !== null && /^(?:127\.|::1$)/.test(ip);

/**
 * Limits the lookups that senders can make us perform, whatever domains they name, so that nobody can flood
 * others through us. An email reserves everything that it may need before it is read and gives back the rest,
 * so that no email runs out halfway.
 */
export function createQueryBudgets({ queriesPerClient, queriesPerTest }: QueryBudgets) {
  const ofClient = createRates({
    windowMs: MINUTE_MS,
    limits: [queriesPerClient, 4 * queriesPerClient],
  });
  const ofTest = createRates({ windowMs: DAY_MS, limits: [queriesPerTest] });

  const budgetsOf = (consumer: DnsConsumer) =>
    isOperator(consumer)
      ? []
      : [
          ...(queriesPerTest > 0 && consumer.testId
            ? [{ rates: ofTest, path: [consumer.testId] }]
            : []),
          ...(queriesPerClient > 0 && consumer.ip !== null
            ? [{ rates: ofClient, path: networksOf(consumer.ip) }]
            : []),
        ];

  return {
    /**
     * Takes the queries that an email may need. Returns false if one of the budgets has fewer left; in that
     * case, nothing is taken.
     */
    reserve(consumer: DnsConsumer, now: number): boolean {
      const budgets = budgetsOf(consumer);
      const fits = budgets.every(({ rates, path }) => rates.room(path, now) >= MAX_QUERIES);
      if (fits) for (const { rates, path } of budgets) rates.take(path, now, MAX_QUERIES);
      return fits;
    },
    /** Gives back the queries that an email did not use. */
    giveBack(consumer: DnsConsumer, now: number, used: number): void {
      for (const { rates, path } of budgetsOf(consumer))
        rates.giveBack(path, now, MAX_QUERIES - used);
    },
  };
}
