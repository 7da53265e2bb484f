/**
 * Collects the settlements in the log of payments and their outcomes, and finds those since a given time or
 * of one payer or transaction.
 */

import { paymentOfStart } from '../../actors/settler/ledger.ts';
import type {
  OriginalPaymentEvent,
  PaymentEvent,
  PaymentEventOf,
} from '../../domain/payment-events.ts';
import type { Recorded } from '../../ports/log.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import type { ReplayCall } from './call.ts';
import { scan } from './scan.ts';
import type { Source } from './source.ts';

type Started = PaymentEventOf<'SettlementStarted'>['data'];

/** A settlement as the log records it, from its start to its outcome. */
export interface LedgerEntry {
  readonly payment_id: string;
  readonly attempt: number;
  readonly state: 'settled' | 'failed' | 'open';
  readonly started_at: string;
  readonly decided_at: string | null;
  readonly mode: Started['mode'];
  readonly network: string;
  /** Atomic units of the asset. */
  readonly amount: string;
  readonly transaction: string | null;
  readonly block: number | null;
  /** Why the settlement failed. */
  readonly reason: string | null;
  /** True if the payment settled only after the report was deleted, so that it has to be refunded. */
  readonly late: boolean;
}

/** A settlement, with the data that is needed to query the chain about it. */
export interface ReplayedSettlement {
  readonly entry: LedgerEntry;
  readonly payment: SignedPayment;
  readonly fromBlock: number;
  /** Hashes of the transactions sent for it, oldest first. */
  readonly transactions: readonly string[];
}

/** Creates a ledger that collects the settlements in a log of payments, event by event. */
export function createLedger() {
  const settlements = new Map<string, ReplayedSettlement>();

  function addOne(id: string, event: OriginalPaymentEvent): void {
    const key = `${id} ${event.data.attempt}`;
    if (event.type === 'PaymentClosed') {
      close(id, event);
      return;
    }
    if (event.type === 'SettlementStarted') {
      // A second start of the same attempt changes nothing, because the machine accepts only the first.
      if (!settlements.has(key)) settlements.set(key, begin(id, event));
      return;
    }
    const known = settlements.get(key);
    if (known?.entry.state !== 'open') return;
    const sent = 'transaction' in event.data ? event.data.transaction : undefined;
    const transactions = [...known.transactions, ...(sent ? [sent] : [])];
    settlements.set(key, { ...known, transactions, entry: go(known, event) });
  }

  /**
   * Ends the settlements that are still open in the log. The one that paid may be known only from the closing
   * event.
   */
  function close(id: string, { at, data }: PaymentEventOf<'PaymentClosed'>): void {
    const { attempt, settled } = data;
    const own = [...settlements].filter(([, { entry }]) => entry.payment_id === id);
    // A payment that was made stays paid.
    if (own.some(([, { entry }]) => entry.state === 'settled')) return;
    for (const [key, known] of own)
      if (known.entry.state === 'open')
        settlements.set(key, { ...known, entry: { ...known.entry, ...closedAt(at) } });
    if (!settled) return;
    const { started, receipt, block, late } = settled;
    const key = `${id} ${attempt}`;
    const known = settlements.get(key) ?? begin(id, { at, data: { ...started, attempt } });
    const { transaction } = receipt;
    const entry = { ...known.entry, state: 'settled' as const, decided_at: at, reason: null };
    settlements.set(key, { ...known, entry: { ...entry, transaction, block, late } });
  }

  return {
    add({ id, event }: Pick<Recorded<PaymentEvent>, 'id' | 'event'>): void {
      if (event.type !== 'HistoryRestored') {
        addOne(id, event);
        return;
      }
      for (const key of settlements.keys()) if (key.startsWith(`${id} `)) settlements.delete(key);
      for (const one of event.data.events) addOne(id, one);
    },
    /**
     * Returns the settlements that began at `since` (milliseconds since 1970) or later, oldest first. If
     * `wanted` names a payer or transaction, in any letter case, returns only its settlements.
     */
    since: (since = Number.NEGATIVE_INFINITY, wanted?: string): readonly ReplayedSettlement[] =>
      [...settlements.values()].filter(
        (one) =>
          Date.parse(one.entry.started_at) >= since &&
          (wanted === undefined || isOf(one, wanted.toLowerCase())),
      ),
  };
}

const isOf = ({ entry, payment, transactions }: ReplayedSettlement, wanted: string) =>
  [payment.authorization.from, entry.transaction, ...transactions].some(
    (one) => one?.toLowerCase() === wanted,
  );

const closedAt = (decided_at: string) => ({
  ...{ state: 'failed' as const, decided_at, reason: 'closed' },
});

function begin(
  payment_id: string,
  { at, data }: Pick<PaymentEventOf<'SettlementStarted'>, 'at' | 'data'>,
): ReplayedSettlement {
  const { attempt, mode, requirements } = data;
  return {
    entry: {
      payment_id,
      attempt,
      state: 'open',
      started_at: at,
      decided_at: null,
      mode,
      network: requirements.network,
      amount: requirements.amount,
      transaction: null,
      block: null,
      reason: null,
      late: false,
    },
    payment: paymentOfStart(data),
    fromBlock: data.from_block,
    transactions: [],
  };
}

function go({ entry }: ReplayedSettlement, event: OriginalPaymentEvent): LedgerEntry {
  const decided_at = event.at;
  if (event.type === 'PaymentSettled') {
    const { receipt, block = null, late } = event.data;
    const { transaction } = receipt;
    return { ...entry, state: 'settled', decided_at, transaction, block, late };
  }
  if (event.type === 'SettlementFailed')
    return { ...entry, state: 'failed', decided_at, reason: event.data.reason };
  return entry;
}

/**
 * Returns the settlements in the log that began at `since` (milliseconds since 1970) or later, oldest first.
 *
 * @param wanted a payer or a transaction, to get only its settlements
 */
export async function readLedger(
  { payments }: Pick<Source, 'payments'>,
  { since, until, progress }: Pick<ReplayCall, 'since' | 'until' | 'progress'>,
  wanted?: string,
): Promise<readonly ReplayedSettlement[]> {
  const ledger = createLedger();
  await scan(payments, { name: 'payments', until, progress, onEvent: ledger.add });
  return ledger.since(since, wanted);
}
