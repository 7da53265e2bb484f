import { expect, test } from 'vitest';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import { book, toCsv } from '../../../src/operator/replay/books/bookkeeping.ts';
import { createLedger, verifyAll } from '../../../src/operator/replay/payments.ts';
import type { ChainOutcome, SignedPayment } from '../../../src/ports/payment.ts';
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
const settlements = (since?: number) => {
  const ledger = createLedger();
  for (const recorded of log) ledger.add(recorded);
  return ledger.since(since);
};
const entries = () => settlements().map(({ entry }) => entry);
const transaction = `0x${'5'.repeat(64)}`;
const settled = (hash = transaction): ChainOutcome => ({
  state: 'settled',
  receipt: { success: true, transaction: hash, network: 'eip155:8453' },
  block: 101,
});

test('every settlement is a line, with its outcome', () => {
  expect(entries()).toMatchObject([
    { payment_id: 'one', attempt: 1, state: 'failed', reason: 'expired', transaction: null },
    { payment_id: 'one', attempt: 2, state: 'settled', transaction, block: 101, late: true },
    { payment_id: 'two', attempt: 1, state: 'open', decided_at: null },
  ]);
});

test('what began earlier is left out', () => {
  const since = settlements(T0 + 20_000);
  expect(since.map(({ entry }) => [entry.payment_id, entry.attempt])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
});

test('no line holds the payer or the signature', () => {
  const text = JSON.stringify(entries());
  for (const secret of ['0x1234', `0x${'2'.repeat(40)}`, `0x${'3'.repeat(64)}`])
    expect(text).not.toContain(secret);
});

test('as CSV it has a header and a row each, with what a bookkeeper needs', async () => {
  const chain = {
    decimals: async () => 6,
    mined: async () => ({ gasWei: 850_000n, blockTime: '2026-11-20T10:00:22.000Z' }),
  };
  const rows = toCsv(
    await book(
      settlements(),
      entries(),
      () => chain,
      () => {},
    ),
  ).split('\r\n');
  expect(rows).toHaveLength(5);
  expect(rows[4]).toBe('');
  expect(rows[0]).toMatch(
    /^payment_id,attempt,state,started_at,.*,asset,decimals,usd,payer,payee,gas_wei,block_time$/,
  );
  const [{ payment }] = settlements() as unknown as [{ payment: SignedPayment }];
  const { requirements, authorization } = payment;
  const account = `${requirements.asset},6,0.05,${authorization.from},${requirements.payTo}`;
  expect(rows[2]).toMatch(new RegExp(`,${account},850000,2026-11-20T10:00:22.000Z$`));
  expect(rows[3]).toMatch(/^two,1,open,2026-11-20T10:00:30.000Z,,self,eip155:8453,50000,,,,false,/);
  expect(rows[3]).toMatch(new RegExp(`,${account},,$`));
  expect(toCsv([])).toBe('');
});

test('without a node, what only the chain knows stays empty', async () => {
  const [, row] = toCsv(await book(settlements(), entries(), undefined, () => {})).split('\r\n');
  expect(row).toMatch(/,0x[0-9a-fA-F]{40},,,0x\w{40},0x\w{40},,$/);
});

test('settlements are found by payer and by transaction, signed or paid', () => {
  const ledger = createLedger();
  for (const recorded of log) ledger.add(recorded);
  const [first] = settlements();
  const payer = first?.payment.authorization.from ?? '';
  const ids = (text: string) =>
    ledger.of(text).map(({ entry }) => [entry.payment_id, entry.attempt]);
  expect(ids(payer.toUpperCase().replace('X', 'x'))).toEqual([
    ['one', 1],
    ['one', 2],
    ['two', 1],
  ]);
  expect(ids(transaction)).toEqual([['one', 2]]);
  expect(ids(settlements()[1]?.signed[0] ?? '')).toEqual([['one', 2]]);
  expect(ids(`0x${'f'.repeat(64)}`)).toEqual([]);
});

const [failed, paid, open] = settlements() as never as Parameters<typeof verifyAll>[0];

test.each([
  ['settled, as on the chain', paid, settled(), null],
  ['settled, spelled otherwise', paid, settled(transaction.toUpperCase().replace('X', 'x')), null],
  ['settled by another transaction', paid, settled(`0x${'9'.repeat(64)}`), /the chain has it in/],
  ['settled, and not on the chain', paid, { state: 'open' }, /no payment is on the chain/],
  ['failed, and dead', failed, { state: 'dead' }, null],
  ['failed, and cancelled', failed, { state: 'cancelled' }, null],
  ['failed, and paid after all', failed, settled(), /serve or refund it/],
  ['open, and open', open, { state: 'open' }, null],
  ['open, and paid meanwhile', open, settled(), null],
] as const)('%s', async (_name, settlement, outcome, difference) => {
  const ask = () => ({ outcome: async () => outcome as ChainOutcome });
  const [verified] = await verifyAll([settlement as never], ask, () => {});
  expect(verified?.chain).toBe(outcome.state);
  if (difference === null) expect(verified?.difference).toBeNull();
  else expect(verified?.difference).toMatch(difference);
});

test('a chain that cannot be read is a difference, not a yes', async () => {
  const ask = () => ({ outcome: () => Promise.reject(new Error('down')) });
  expect(await verifyAll([paid as never], ask, () => {})).toMatchObject([
    { chain: 'unreadable', difference: 'the chain could not be read' },
  ]);
});
