/** Tests that the judge finds violations that a wrong clock causes. */

import { describe, expect, test } from 'vitest';
import { anEvent, aPaymentEvent } from '../../support/log/events.ts';
import { instant } from '../../support/process/instants.ts';
import {
  asked,
  at,
  calm,
  fault,
  followedBy,
  lived,
  polled,
  record,
  rulesOf,
  withEvents,
  withOperations,
} from './a-history.ts';
import type { History, Operation } from './history.ts';
import { judge } from './judge.ts';

const [created, arrived, done] = lived;
const DELETED = 86_460;

/** Returns the history with a replica whose clock is always wrong, which excuses no violation. */
const underJumps = (history: History): History => ({
  ...history,
  faults: [fault('clock', -10, 100_000)],
});

/** The test's end, as claimed by anyone who fired it, stored after this many seconds. */
const ended = (firedAt: number, seconds: number) =>
  followedBy(anEvent('Expired', DELETED, { fired_at: instant(firedAt) }), seconds);

const withPayments = (...payments: History['payments']): History => ({ ...calm, payments });

const [started, settled] = calm.payments;
if (!started || !settled) throw new Error('The fixture has no payment.');

describe('while a clock is wrong', () => {
  test('a history without faults is found to have none', () => {
    expect(judge(underJumps(calm))).toEqual([]);
    expect(judge(underJumps(ended(DELETED + 0.1, DELETED + 0.1)))).toEqual([]);
  });

  test.each<[string, History, string]>([
    [
      'an email that arrived in the future',
      withEvents([created, record(anEvent('MailArrived', 1000), 2, 60)]),
      'instants',
    ],
    [
      'an email that arrived long before it was stored',
      withEvents([created, record(anEvent('MailArrived', 10), 2, 60)]),
      'instants',
    ],
    [
      'an end of the analysis before the email',
      withEvents([
        created,
        arrived,
        record(anEvent('AnalysisDone', 59.9, { report_seq: 9 }), 3, 61),
      ]),
      'instants',
    ],
    [
      'a test from before it was asked for',
      withEvents([record(anEvent('TestCreated', -0.5), 1, 0), arrived, done]),
      'instants',
    ],
    ['a deadline that was recorded early', ended(DELETED + 1, 70), 'deadlines'],
    ['a deadline that was recorded late', ended(DELETED, DELETED + 20), 'deadlines'],
    ['a deadline that fired early, as its event says', ended(DELETED - 1, DELETED), 'deadlines'],
    [
      'a settlement that was begun in the future',
      withPayments(record(aPaymentEvent('SettlementStarted', 3664), 1, 64), settled),
      'payments',
    ],
    [
      'a settlement that was begun long ago',
      withPayments(record(aPaymentEvent('SettlementStarted', 10), 1, 64), settled),
      'payments',
    ],
    [
      'a settlement before there was a report',
      withPayments(record(aPaymentEvent('SettlementStarted', 60.5), 1, 60.5), settled),
      'payments',
    ],
    [
      'a settlement too near the deletion',
      withPayments(
        record(aPaymentEvent('SettlementStarted', DELETED - 29), 1, DELETED - 29),
        record(aPaymentEvent('PaymentSettled', DELETED - 28), 2, DELETED - 28),
      ),
      'payments',
    ],
    [
      'a payment in time that is called late',
      withPayments(started, record(aPaymentEvent('PaymentSettled', 65, { late: true }), 2, 65)),
      'payments',
    ],
    [
      'a payment after the deletion that is not called late',
      withPayments(started, record(aPaymentEvent('PaymentSettled', DELETED + 9), 2, DELETED + 9)),
      'payments',
    ],
    [
      'money that moved after the deletion',
      { ...calm, transfers: calm.transfers.map((one) => ({ ...one, time: at(DELETED) })) },
      'payments',
    ],
    ['a settlement without an end', { ...withPayments(started), endedAt: at(20_000) }, 'payments'],
    [
      'a bill for a report that is about to be deleted',
      {
        ...withPayments(),
        operations: [{ ...asked(DELETED - 29, DELETED - 28), kind: 'challenged' }],
      },
      'payments',
    ],
    ['money that opens nothing', withPayments(started), 'moneyKept'],
    ['a report that nobody paid for', { ...calm, transfers: [] }, 'moneyKept'],
    [
      'money that opens two reports',
      withPayments(started, settled, { ...settled, id: 'zzzzzzzz2345', seq: 3 }),
      'moneyKept',
    ],
    [
      'a payment taken twice',
      {
        ...calm,
        transfers: [...calm.transfers, { transaction: `0x${'7'.repeat(64)}`, time: at(64) }],
      },
      'moneyKept',
    ],
  ])('%s is found', (_name, history, rule) => {
    expect(rulesOf(underJumps(history))).toContain(rule);
  });

  test('a deletion takes back the start of its payment, or the payment is late', () => {
    const refused = aPaymentEvent('SettlementFailed', 64.1, { reason: 'refused' });
    const deletedAt = (seconds: number, ...payments: History['payments']) => ({
      ...followedBy(anEvent('TestDeleted', seconds), seconds),
      payments: [started, ...payments],
    });
    const paid = (late: boolean) => record(aPaymentEvent('PaymentSettled', 65, { late }), 2, 65);
    expect(rulesOf(deletedAt(63, record(refused, 2, 64.1)))).not.toContain('payments');
    expect(rulesOf(deletedAt(63, settled))).toContain('payments');
    expect(rulesOf(deletedAt(64.5, paid(true)))).not.toContain('payments');
    expect(rulesOf(deletedAt(64.5, paid(false)))).toContain('payments');
  });

  test('a payment may begin in the moment in which its report exists, but not after it', () => {
    const brief = (seconds: number): History => ({
      ...followedBy(anEvent('TestDeleted', 61.06), 61.06),
      payments: [
        record(aPaymentEvent('SettlementStarted', seconds), 1, seconds),
        record(aPaymentEvent('PaymentSettled', seconds + 0.02), 2, seconds + 0.02),
      ],
    });
    expect(rulesOf(brief(61.03))).not.toContain('payments');
    expect(rulesOf(brief(61.2))).toContain('payments');
  });

  test.each<[string, Operation]>([
    ['a test that is hidden before its end', polled(30, 'absent')],
    ['a report that is hidden before its end', polled(DELETED - 1, 'absent')],
    ['a report that is shown after its end', polled(DELETED + 1, 'ready')],
    ['a paid report that is withheld', { ...asked(70, 71), kind: 'withheld' }],
    [
      'a paid report that is withheld near its end',
      { ...asked(DELETED - 9, DELETED - 8), kind: 'withheld' },
    ],
    ['a status of before at another replica', { ...polled(64, 'processing'), replica: 'two' }],
  ])('%s is found', (_name, operation) => {
    expect(rulesOf(underJumps(withOperations(operation)))).toEqual(['statuses']);
  });

  test('an unpaid report is withheld near its end, and not earlier', () => {
    const unpaid = (from: number) => ({
      ...withOperations({ ...asked(from, from + 1), kind: 'withheld' }),
      operations: [{ ...asked(from, from + 1), kind: 'withheld' as const }],
      payments: [],
      transfers: [],
    });
    expect(judge(underJumps(unpaid(DELETED - 29)))).toEqual([]);
    expect(rulesOf(underJumps(unpaid(DELETED - 40)))).toEqual(['statuses']);
  });

  test('another fault excuses a deadline that is late, and none that is early', () => {
    const late = {
      ...ended(DELETED, DELETED + 20),
      faults: [fault('outage', DELETED, DELETED + 5)],
    };
    expect(judge(late)).toEqual([]);
    const early = { ...ended(DELETED + 1, 70), faults: [fault('outage', 60, 80)] };
    expect(rulesOf(early)).toEqual(['instants', 'deadlines']);
  });
});
