import { createHash } from 'node:crypto';
import type { LedgerEntry } from '../../../src/cli/replay/payments.ts';
import type { OriginalPaymentEvent } from '../../../src/domain/payment-events.ts';
import type { PaymentChain } from '../../../src/ports/payment.ts';
import type { PaymentState } from '../../../src/projection/fold.ts';
import type { TestHistory } from '../log/test-histories.ts';
import { T0 } from '../process/instants.ts';

export type PaymentHistory = TestHistory<OriginalPaymentEvent, PaymentState>;

/** Before the first payment. */
const FIRST_BLOCK = 1000;

/** The block of a round, in which its payments are. */
export const blockOf = (round: number) => FIRST_BLOCK + round;

/** Where the settlement in progress, or the one that paid, has begun. */
export const startOf = ({ stored }: PaymentHistory): number =>
  stored.findLast(({ event, fits }) => fits && event.type === 'SettlementStarted')?.seq ?? 0;

export const nonceOf = ({ state }: PaymentHistory): string =>
  state.context.started?.payload.authorization.nonce ?? '';

/** What the operator's ledger has to say of a history: a line for each settlement that began. */
export function ledgerOf({
  id,
  stored,
}: PaymentHistory): readonly (LedgerEntry & { readonly seq: number })[] {
  const fit = stored.filter(({ fits }) => fits);
  return fit.flatMap(({ event: started, seq }, n) => {
    if (started.type !== 'SettlementStarted') return [];
    const { attempt, mode, requirements } = started.data;
    const last = fit
      .slice(n)
      .map(({ event }) => event)
      .findLast(({ data }) => data.attempt === attempt);
    const settled = last?.type === 'PaymentSettled' ? last : undefined;
    const failed = last?.type === 'SettlementFailed' ? last : undefined;
    return {
      ...{ seq, payment_id: id, attempt },
      state: settled ? ('settled' as const) : failed ? ('failed' as const) : ('open' as const),
      started_at: started.at,
      decided_at: settled?.at ?? failed?.at ?? null,
      ...{ mode, network: requirements.network, amount: requirements.amount },
      transaction: settled?.data.receipt.transaction ?? null,
      block: settled?.data.block ?? null,
      reason: failed?.data.reason ?? null,
      late: false,
    };
  });
}

const hash = (...parts: readonly (string | number)[]) =>
  `0x${createHash('sha256').update(parts.join()).digest('hex')}`;

/** The model's event with hashes and a block of its own: a view that mixes two up shows. */
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
  }
}

/** The chain as the model has it: what was paid before this round is final. */
export function chainOf(
  histories: () => readonly PaymentHistory[],
  round: () => number,
): PaymentChain {
  return {
    head: async () => ({ number: blockOf(round()), timestamp: T0 / 1000 + 120 }),
    finalized: async () => blockOf(round()) - 1,
    balance: async () => 0n,
    confirm: async () => blockOf(round()),
    async outcome({ authorization: { nonce } }) {
      const paid = histories().find((history) => nonceOf(history) === nonce)?.state.context.settled;
      if (!paid) return { state: 'open' };
      return { state: 'settled', receipt: paid.receipt, block: paid.block ?? 0 };
    },
  };
}
