import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import type { DnsConsumer } from '../../ports/dns.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

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
    /** Takes what a mail may need; false: one of the budgets has less, and nothing is taken. */
    reserve(consumer: DnsConsumer, now: number): boolean {
      const budgets = budgetsOf(consumer);
      const fits = budgets.every(({ rates, path }) => rates.room(path, now) >= MAX_QUERIES);
      if (fits) for (const { rates, path } of budgets) rates.take(path, now, MAX_QUERIES);
      return fits;
    },
    /** Gives back what a mail did not use. */
    giveBack(consumer: DnsConsumer, now: number, used: number): void {
      for (const { rates, path } of budgetsOf(consumer))
        rates.giveBack(path, now, MAX_QUERIES - used);
    },
  };
}
