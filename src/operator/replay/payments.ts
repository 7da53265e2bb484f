import type {
  OriginalPaymentEvent,
  PaymentEvent,
  PaymentEventOf,
} from '../../domain/payment-events.ts';
import type { Recorded } from '../../ports/log.ts';
import type { ChainOutcome, PaymentChain, SignedPayment } from '../../ports/payment.ts';
import type { Progress } from './progress.ts';

type Started = PaymentEventOf<'SettlementStarted'>['data'];

/** One settlement as the log has it, from its start to its outcome. */
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
  /** Why it failed. */
  readonly reason: string | null;
  /** Settled only after the report was deleted: to be refunded. */
  readonly late: boolean;
}

/** A settlement with what is needed to ask the chain about it. */
export interface ReplayedSettlement {
  readonly entry: LedgerEntry;
  readonly payment: SignedPayment;
  readonly fromBlock: number;
  /** Hashes of the transactions of ours for it, oldest first. */
  readonly signed: readonly string[];
}

/** The settlements of a log of payments, folded event by event. */
export function createLedger() {
  const settlements = new Map<string, ReplayedSettlement>();

  function addOne(id: string, event: OriginalPaymentEvent): void {
    const key = `${id} ${event.data.attempt}`;
    if (event.type === 'PaymentClosed') {
      close(id, event);
      return;
    }
    if (event.type === 'SettlementStarted') {
      // A second start of the same attempt changes nothing: the machine takes the first.
      if (!settlements.has(key)) settlements.set(key, begin(id, event));
      return;
    }
    const known = settlements.get(key);
    if (known?.entry.state !== 'open') return;
    const signed =
      event.type === 'TransactionSigned' ? [...known.signed, event.data.transaction] : known.signed;
    settlements.set(key, { ...known, signed, entry: go(known, event) });
  }

  /** Settlements that are open for the log have ended; the one that paid may be known by the closing alone. */
  function close(id: string, { at, data }: PaymentEventOf<'PaymentClosed'>): void {
    const { attempt, settled } = data;
    const own = [...settlements].filter(([, { entry }]) => entry.payment_id === id);
    // What has paid stays paid.
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
    /** Those that began at `since` (milliseconds since 1970) or later, oldest first. */
    since: (since = Number.NEGATIVE_INFINITY): readonly ReplayedSettlement[] =>
      [...settlements.values()].filter(({ entry }) => Date.parse(entry.started_at) >= since),

    /** Those of a payer, or of a transaction that we signed or that paid. In any case of letters. */
    of(payerOrTransaction: string): readonly ReplayedSettlement[] {
      const wanted = payerOrTransaction.toLowerCase();
      return [...settlements.values()].filter(({ entry, payment, signed }) =>
        [payment.authorization.from, entry.transaction, ...signed].some(
          (one) => one?.toLowerCase() === wanted,
        ),
      );
    },
  };
}

const closedAt = (decided_at: string) => ({
  ...{ state: 'failed' as const, decided_at, reason: 'closed' },
});

function begin(
  payment_id: string,
  { at, data }: Pick<PaymentEventOf<'SettlementStarted'>, 'at' | 'data'>,
): ReplayedSettlement {
  const { attempt, mode, requirements, payload, from_block } = data;
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
    payment: {
      requirements,
      signature: payload.signature as `0x${string}`,
      authorization: payload.authorization,
    },
    fromBlock: from_block,
    signed: [],
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

/** What the chain says of a settlement, and whether the log says the same. */
export interface Verified extends LedgerEntry {
  readonly chain: ChainOutcome['state'] | 'unreadable';
  /** What differs; `null`: nothing. */
  readonly difference: string | null;
}

/** Holds one settlement against the chain. One that is open differs in nothing yet. */
async function verify(
  { entry, payment, fromBlock }: ReplayedSettlement,
  chain: Pick<PaymentChain, 'outcome'>,
): Promise<Verified> {
  const found = await chain.outcome(payment, fromBlock).catch(() => undefined);
  return { ...entry, chain: found?.state ?? 'unreadable', difference: compare(entry, found) };
}

/** One after the other: a public RPC takes no more. */
export async function verifyAll(
  settlements: readonly ReplayedSettlement[],
  chainOf: (network: string) => Pick<PaymentChain, 'outcome'>,
  progress: Progress,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  for (const one of settlements) {
    verified.push(await verify(one, chainOf(one.entry.network)));
    progress('verified', verified.length, () => settlements.length);
  }
  return verified;
}

function compare(entry: LedgerEntry, found: ChainOutcome | undefined): string | null {
  if (!found) return 'the chain could not be read';
  if (entry.state === 'settled') {
    if (found.state !== 'settled') return 'recorded as settled, but no payment is on the chain';
    const same = found.receipt.transaction.toLowerCase() === entry.transaction?.toLowerCase();
    return same ? null : `the chain has it in ${found.receipt.transaction}`;
  }
  return entry.state === 'failed' && found.state === 'settled'
    ? `recorded as failed, but ${found.receipt.transaction} paid: serve or refund it`
    : null;
}

/** What settlements of one state on one network come to, in atomic units of the asset. */
export interface Sum {
  readonly network: string;
  readonly state: LedgerEntry['state'];
  readonly settlements: number;
  readonly amount: string;
}

/** A line for each network and state. */
export function sumUp(entries: readonly LedgerEntry[]): readonly Sum[] {
  const groups = Map.groupBy(entries, ({ network, state }) => `${network} ${state}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { network, state } = first;
    const amount = group.reduce((total, one) => total + BigInt(one.amount), 0n);
    return { network, state, settlements: group.length, amount: String(amount) };
  });
}
