/**
 * Computes what every view should show for a given history of payments, plays the chain that they are on, and
 * makes the events of each history distinct.
 */

import { createHash } from 'node:crypto';
import type { OriginalPaymentEvent, PaymentEventOf } from '../../../src/domain/payment-events.ts';
import type { LedgerEntry } from '../../../src/operator/replay/payments.ts';
import type { PaymentChain } from '../../../src/ports/payment.ts';
import type { PaymentState } from '../../../src/projection/fold.ts';
import type { TestHistory } from '../log/test-histories.ts';

export type PaymentHistory = TestHistory<OriginalPaymentEvent, PaymentState>;

/** The block before the first payment. */
const FIRST_BLOCK = 1000;

/** Returns the block of a round, which contains its payments. */
export const blockOf = (round: number) => FIRST_BLOCK + round;

/** Returns where the settlement in progress, or the one that paid, started. */
export function startOf({ stored }: PaymentHistory): number {
  const fit = stored.filter(({ fits }) => fits);
  const begins = ({ event }: (typeof fit)[number], n: number) =>
    event.type === 'SettlementStarted' ||
    (event.type === 'PaymentClosed' && fit[n - 1]?.state.value !== 'settling');
  return fit.findLast(begins)?.seq ?? 0;
}

export const nonceOf = ({ state }: PaymentHistory): string =>
  state.context.started?.payload.authorization.nonce ?? '';

/**
 * Returns what the operator's ledger must say about a history: a line for each settlement that started or has
 * paid.
 */
export function ledgerOf({
  id,
  stored,
}: PaymentHistory): readonly (LedgerEntry & { readonly seq: number })[] {
  const lines = new Map<number, LedgerEntry & { readonly seq: number }>();
  for (const { event, seq, fits } of stored) {
    if (!fits) continue;
    const { at, type, data } = event;
    const { attempt } = data;
    const begin = ({ mode, requirements }: PaymentEventOf<'SettlementStarted'>['data']) =>
      lines.set(attempt, {
        ...{ seq, payment_id: id, attempt, state: 'open', started_at: at, decided_at: null },
        ...{ mode, network: requirements.network, amount: requirements.amount },
        ...{ transaction: null, block: null, reason: null, late: false },
      });
    const change = (attempt: number, change: Partial<LedgerEntry>) => {
      const line = lines.get(attempt);
      if (line) lines.set(attempt, { ...line, ...change, decided_at: at });
    };
    const paid = (receipt: { readonly transaction: string }, block = 0) =>
      change(attempt, { state: 'settled', transaction: receipt.transaction, block, reason: null });
    if (type === 'SettlementStarted') begin(data);
    if (type === 'PaymentSettled') paid(data.receipt, data.block);
    if (type === 'SettlementFailed') change(attempt, { state: 'failed', reason: data.reason });
    if (type !== 'PaymentClosed') continue;
    for (const line of lines.values())
      if (line.state === 'open') change(line.attempt, { state: 'failed', reason: 'closed' });
    if (!data.settled) continue;
    if (!lines.has(attempt)) begin(data.settled.started);
    paid(data.settled.receipt, data.settled.block);
  }
  return [...lines.values()];
}

const hash = (...parts: readonly (string | number)[]) =>
  `0x${createHash('sha256').update(parts.join()).digest('hex')}`;

/** Returns the model's event with its own hashes and block, so that a view that confuses two is noticed. */
export function personal(
  event: OriginalPaymentEvent,
  id: string,
  round: number,
): OriginalPaymentEvent {
  switch (event.type) {
    case 'SettlementStarted': {
      const { payload } = event.data;
      const authorization = { ...payload.authorization, nonce: hash(id, round) };
      return { ...event, data: { ...event.data, payload: { ...payload, authorization } } };
    }
    case 'TransactionSigned':
      return { ...event, data: { ...event.data, transaction: hash(id, round) } };
    case 'PaymentSettled': {
      const receipt = { ...event.data.receipt, transaction: hash(id, round) };
      return { ...event, data: { ...event.data, receipt, block: blockOf(round) } };
    }
    case 'SettlementFailed':
      return event;
    case 'PaymentClosed': {
      const { settled } = event.data;
      if (!settled) return event;
      const { payload } = settled.started;
      const authorization = { ...payload.authorization, nonce: hash(id, round) };
      const started = { ...settled.started, payload: { ...payload, authorization } };
      const receipt = { ...settled.receipt, transaction: hash(id, round) };
      const block = blockOf(round);
      return {
        ...event,
        data: { ...event.data, settled: { ...settled, started, receipt, block } },
      };
    }
  }
}

/** Returns the chain according to the model. Anything paid before this round is final. */
export function chainOf(
  histories: () => readonly PaymentHistory[],
  round: () => number,
): PaymentChain {
  return {
    spell: (payment) => payment,
    isSignedByKey: async () => true,
    head: async () => blockOf(round()),
    checkSignature: async (payment) => ({ ok: true, payment }),
    ended: async () => undefined,
    balance: async () => 0n,
    confirm: async () => blockOf(round()),
    async outcome({ authorization: { nonce } }) {
      const paid = histories().find((history) => nonceOf(history) === nonce)?.state.context.settled;
      if (!paid) return { state: 'open' };
      return { state: 'settled', receipt: paid.receipt, block: paid.block ?? 0 };
    },
  };
}
