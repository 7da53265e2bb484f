/**
 * Tests `replay payments`, which lists the settlements of all payments, or of one payer or transaction,
 * without secrets.
 */

import { expect, test } from 'vitest';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import { createLedger } from '../../../src/operator/replay/payments.ts';
import { aPaymentEvent } from '../../support/log/events.ts';
import { T0 } from '../../support/process/instants.ts';

const record = (id: string, events: readonly PaymentEvent[]) =>
  events.map((event, index) => ({ id, seq: index + 1, time: T0, event }));

const started = (attempt: number, seconds: number) =>
  aPaymentEvent('SettlementStarted', seconds, { attempt });
const log = [
  ...record('one', [
    started(1, 0),
    aPaymentEvent('SettlementFailed', 10),
    started(2, 20),
    aPaymentEvent('TransactionSigned', 21, { attempt: 2 }),
    aPaymentEvent('PaymentSettled', 22, { attempt: 2, late: true }),
  ]),
  ...record('two', [started(1, 30)]),
];
const settlements = (since?: number, wanted?: string) => {
  const ledger = createLedger();
  for (const recorded of log) ledger.add(recorded);
  return ledger.since(since, wanted);
};
const entries = () => settlements().map(({ entry }) => entry);
const transaction = `0x${'5'.repeat(64)}`;

test('every settlement is a line, with its outcome', () => {
  expect(entries()).toMatchObject([
    { payment_id: 'one', attempt: 1, state: 'failed', reason: 'expired', transaction: null },
    { payment_id: 'one', attempt: 2, state: 'settled', transaction, block: 101, late: true },
    { payment_id: 'two', attempt: 1, state: 'open', decided_at: null },
  ]);
});

test('settlements that began earlier are left out', () => {
  const since = settlements(T0 + 20_000);
  expect(since.map(({ entry }) => [entry.payment_id, entry.attempt])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
});

test('no line contains the payer or the signature', () => {
  const text = JSON.stringify(entries());
  for (const secret of ['0x1234', `0x${'2'.repeat(40)}`, `0x${'3'.repeat(64)}`])
    expect(text).not.toContain(secret);
});

test('settlements are found by payer and by transaction, signed or paid', () => {
  const [first] = settlements();
  const payer = first?.payment.authorization.from ?? '';
  const ids = (text: string) =>
    settlements(undefined, text).map(({ entry }) => [entry.payment_id, entry.attempt]);
  expect(ids(payer.toUpperCase().replace('X', 'x'))).toEqual([
    ['one', 1],
    ['one', 2],
    ['two', 1],
  ]);
  expect(ids(transaction)).toEqual([['one', 2]]);
  expect(ids(settlements()[1]?.transactions[0] ?? '')).toEqual([['one', 2]]);
  expect(ids(`0x${'f'.repeat(64)}`)).toEqual([]);
});
