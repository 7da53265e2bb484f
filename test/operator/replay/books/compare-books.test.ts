/**
 * Tests the comparison of the payments in the log with the transfers on the chain, and the batch of
 * refunds that is made from it.
 */

import { expect, test } from 'vitest';
import { refundBatch } from '../../../../src/operator/replay/books/command.ts';
import { compareBooks } from '../../../../src/operator/replay/books/compare-books.ts';
import type { ReplayedSettlement } from '../../../../src/operator/replay/payments.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const hash = (digit: string) => `0x${digit.repeat(64)}`;
const ASSET = address('a');
const PAYEE = address('4');
const account = {
  network: 'eip155:8453',
  asset: ASSET,
  payee: PAYEE,
  from_block: 100,
  to_block: 200,
};

const settled = (id: string, digit: string, change: object = {}) =>
  ({
    entry: {
      payment_id: id,
      state: 'settled',
      network: 'eip155:8453',
      amount: '50000',
      transaction: hash(digit),
      block: 150,
      late: false,
      ...change,
    },
    payment: {
      requirements: { asset: ASSET.toUpperCase().replace('X', 'x'), payTo: PAYEE },
      authorization: { from: address(digit), value: '50000' },
    },
  }) as unknown as ReplayedSettlement;

const paid = (digit: string, change: object = {}) => ({
  transaction: hash(digit),
  block: 150,
  from: address(digit),
  to: PAYEE,
  amount: 50_000n,
  ...change,
});
const returned = (digit: string) =>
  paid('e', { from: PAYEE, to: address(digit), block: 160, transaction: hash('9') });

test('books that match have no mismatch, and balance', () => {
  const { mismatches, balance } = compareBooks(
    account,
    [settled('one', '1')],
    [paid('1')],
    50_000n,
  );
  expect(mismatches).toEqual([]);
  expect(balance).toEqual({
    ...account,
    ...{ logged: '50000', orphaned: '0', missing: '0', received: '50000', sent: '0' },
    ...{ balance_change: '50000', closes: true },
  });
});

test('an orphan, a missing and a late payment are named, and the sums balance with them', () => {
  const log = [
    settled('one', '1'),
    settled('gone', '2'),
    settled('after', '3', { late: true }),
    settled('unpaid', '5', { state: 'failed', transaction: null, block: null }),
  ];
  const { mismatches, balance } = compareBooks(
    account,
    log,
    [paid('1'), paid('3'), paid('5')],
    150_000n,
  );
  expect(mismatches.map((one) => [one.mismatch, one.payment_id, one.transaction])).toEqual([
    ['missing', 'gone', hash('2')],
    ['late', 'after', hash('3')],
    ['orphan', 'unpaid', hash('5')],
  ]);
  expect(balance).toMatchObject({ logged: '150000', missing: '50000', orphaned: '50000' });
  expect(balance).toMatchObject({ received: '150000', closes: true });
});

test.each([
  ['another transaction', paid('1', { transaction: hash('7') })],
  ['another payer', paid('1', { from: address('7') })],
  ['another amount', paid('1', { amount: 49_999n })],
])('a transfer of %s is not the payment', (_, transfer) => {
  const { mismatches } = compareBooks(account, [settled('one', '1')], [transfer], null);
  expect(mismatches.map(({ mismatch }) => mismatch)).toEqual(['missing', 'orphan']);
});

test('two payments of one transaction need two transfers', () => {
  const log = [settled('one', '1'), settled('two', '1')];
  const { mismatches } = compareBooks(account, log, [paid('1')], 50_000n);
  expect(mismatches.map(({ mismatch, payment_id }) => [mismatch, payment_id])).toEqual([
    ['missing', 'two'],
  ]);
});

test('transfers outside the range are not held against it', () => {
  const log = [settled('before', '1', { block: 99 }), settled('after', '2', { block: 201 })];
  expect(compareBooks(account, log, [], 0n).mismatches).toEqual([]);
});

test('money that was sent back is no longer due', () => {
  const log = [settled('after', '3', { late: true })];
  const transfers = [paid('3'), paid('5'), returned('3'), returned('5')];
  const { mismatches, balance } = compareBooks(account, log, transfers, 0n);
  expect(mismatches).toEqual([]);
  expect(balance).toMatchObject({ received: '100000', sent: '100000', closes: true });
});

test('a balance that changed for another reason does not match', () => {
  const { balance } = compareBooks(account, [settled('one', '1')], [paid('1')], 49_999n);
  expect(balance.closes).toBe(false);
});

test('refunds return what came late or belongs to nothing', () => {
  const log = [settled('gone', '2'), settled('after', '3', { late: true })];
  const { mismatches } = compareBooks(account, log, [paid('3'), paid('5')], 100_000n);
  const { chainId, transactions } = refundBatch(account, mismatches);
  expect(chainId).toBe('8453');
  const transfer = (digit: string) =>
    `0xa9059cbb${digit.repeat(40).padStart(64, '0')}${(50_000).toString(16).padStart(64, '0')}`;
  expect(transactions).toEqual([
    { to: ASSET, value: '0', data: transfer('3') },
    { to: ASSET, value: '0', data: transfer('5') },
  ]);
});
