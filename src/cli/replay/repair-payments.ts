import { randomUUID } from 'node:crypto';
import { paymentOf } from '../../actors/settler/ledger.ts';
import type { AuthorizationName, FoundTransfer } from '../../adapters/chain/find-transfer.ts';
import type {
  OriginalPaymentEvent,
  PaymentEvent,
  PaymentEventOf,
} from '../../domain/payment-events.ts';
import type { Claim, Recorded } from '../../ports/log.ts';
import type { PaymentChain } from '../../ports/payment.ts';
import { foldPayment } from '../../projection/fold.ts';
import { originalEvents } from '../../projection/original-events.ts';
import { restorePayment } from '../../projection/restore-payment.ts';
import { REPAIR } from '../../projection/restore-test.ts';
import { patiently } from './concurrently.ts';
import { findDamaged, toDamaged } from './damage.ts';
import { findLostOnNodes } from './node-losses.ts';
import { appendAfter, NEWER, type Repair, type RepairOptions } from './repair-tests.ts';
import type { Source } from './source.ts';

/** What can be asked about money. */
export interface ChainReader {
  outcome(network: string): PaymentChain['outcome'];
  find(
    network: string,
    name: AuthorizationName,
    fromBlock: number,
  ): Promise<FoundTransfer | undefined>;
  /** Whether a transfer is one that a report costs. */
  isPrice(transfer: FoundTransfer): boolean;
}

interface Options extends RepairOptions {
  /** `undefined`: no node is known. */
  readonly chain: ChainReader | undefined;
}

const NO_CHAIN = 'only the chain knows: set X402_RPC_URL and X402_PAY_TO';

/** Every damaged payment, and every transfer to us of which no event is left. */
export async function repairPayments(source: Source, options: Options): Promise<readonly Repair[]> {
  const { payments, allClaims } = source;
  const { progress, now, dryRun, chain } = options;
  const known = new Set<string>();
  const damaged = await findDamaged(payments, {
    name: 'payments',
    progress,
    onEvent: ({ id }: Recorded<PaymentEvent>) => void known.add(id),
  });
  const onNodes = await findLostOnNodes(payments);
  const claimed = [...(await allClaims.all())];
  const repairs: Repair[] = [];
  const found = [...toDamaged('payments', onNodes), ...damaged].map(
    (one) => [one.subject, one] as const,
  );
  for (const one of new Map(found).values()) {
    const id = one.subject.slice('payments.'.length);
    known.add(id);
    const why = await patiently(() => repairDamaged(id)).catch(unreadable);
    repairs.push({ ...one, repaired: why === undefined, ...(why !== undefined && { why }) });
  }
  for (const [key, claim] of claimed) {
    if (known.has(claim.id)) continue;
    const why = await patiently(() => repairLost(key, claim)).catch(unreadable);
    if (why === 'nothing was paid') continue;
    const subject = `payments.${claim.id}`;
    const repaired = why === undefined;
    repairs.push({ subject, problem: 'tail', seq: 0, repaired, ...(!repaired && { why }) });
    progress('claims', repairs.length, () => claimed.length);
  }
  return repairs;

  async function repairDamaged(id: string): Promise<string | undefined> {
    const { events: left, end, damage } = await payments.readRemains(id);
    const lost = onNodes.get(id);
    const events = (lost?.united ?? left).map(({ event }) => event);
    const last = lost?.united.at(-1)?.seq ?? end;
    if (lost?.isWhole) return store(id, originalEvents(events), [end, last]);
    if (damage?.problem === 'newer') return NEWER;
    const settled = events.findLast((event) => event.type === 'PaymentSettled');
    const start = settled && (await findStart(id, settled));
    const restored = restorePayment(events, { start, newId: randomUUID });
    if ('missing' in restored) return `nothing else holds it: ${restored.missing}`;
    return finish(id, restored.events, [end, last]);
  }

  /** What is open may only go on when the chain has decided: a transaction may be lost that is on its way. */
  async function finish(
    id: string,
    events: readonly OriginalPaymentEvent[],
    end: readonly [number, number],
  ) {
    const state = foldPayment(events);
    const { started, attempts } = state.context;
    if (state.value !== 'settling' || !started) return store(id, events, end);
    if (!chain) return NO_CHAIN;
    const { network } = started.requirements;
    const found = await chain.outcome(network)(paymentOf(state), started.from_block);
    if (found.state === 'open') return 'the chain has not decided yet: repair again later';
    const envelope = { v: 1, id: randomUUID(), at: instant(), by: REPAIR } as const;
    const last: OriginalPaymentEvent =
      found.state === 'settled'
        ? settledBy(found, { attempt: attempts, started, at: now() })
        : {
            ...envelope,
            type: 'SettlementFailed',
            data: {
              attempt: attempts,
              reason: found.state === 'dead' ? 'expired' : 'cancelled',
              error: 'not_recorded',
            },
          };
    return store(id, [...events, last], end);
  }

  async function repairLost(key: string, claim: Claim): Promise<string | undefined> {
    if (!chain) return NO_CHAIN;
    const { network, ...name } = nameOf(key);
    const transfer = await chain.find(network, name, claim.from_block);
    if (!transfer || !chain.isPrice(transfer)) return 'nothing was paid';
    const started = await startOf(key, claim, transfer, 1);
    const { transaction, block } = transfer;
    const receipt = { success: true, transaction, network, payer: transfer.from };
    const settled = settledBy({ receipt, block }, { attempt: 1, started: started.data, at: now() });
    const { end } = await payments.readRemains(claim.id);
    return store(claim.id, [started, settled], [end, end]);
  }

  /** By the claim of the authorization whose transfer the outcome names. */
  async function findStart(id: string, settled: PaymentEventOf<'PaymentSettled'>) {
    for (const [key, claim] of claimed) {
      if (claim.id !== id || !chain) continue;
      const { network, ...name } = nameOf(key);
      const transfer = await chain.find(network, name, claim.from_block);
      if (transfer?.transaction === settled.data.receipt.transaction)
        return startOf(key, claim, transfer, settled.data.attempt);
    }
    return undefined;
  }

  async function startOf(key: string, claim: Claim, transfer: FoundTransfer, attempt: number) {
    const { network, asset, nonce } = nameOf(key);
    const { from, to, value, time } = transfer;
    const line = await source.statusViews.get(claim.id);
    const started: PaymentEventOf<'SettlementStarted'> = {
      ...{ v: 1, id: randomUUID(), type: 'SettlementStarted', at: claim.at, by: REPAIR },
      data: {
        attempt,
        mode: 'self',
        claim: key,
        requirements: {
          ...{ scheme: 'exact', network, amount: value, asset, payTo: to },
          maxTimeoutSeconds: 120,
        },
        // The signature is spent; of the bounds in time only the end is looked at.
        payload: {
          signature: '0x',
          authorization: {
            ...{ from, to, value, nonce },
            ...{ validAfter: '0', validBefore: String(time + 1) },
          },
        },
        from_block: claim.from_block,
        report_expires_at: line?.expires_at ?? null,
      },
    };
    return started;
  }

  async function store(
    id: string,
    events: readonly OriginalPaymentEvent[],
    end: readonly [number, number],
  ) {
    if (dryRun) return 'it can be repaired: this was a dry run';
    const envelope = { v: 1, id: randomUUID(), at: instant(), by: REPAIR } as const;
    const event: PaymentEvent = {
      ...envelope,
      type: 'HistoryRestored',
      data: { events: [...events] },
    };
    const { outcome } = await appendAfter(payments, id, event, end);
    return outcome === 'appended' ? undefined : `its repair could not be stored: ${outcome}`;
  }

  function instant(): string {
    return new Date(now()).toISOString();
  }
}

const unreadable = () => 'the chain could not be read';

function settledBy(
  {
    receipt,
    block,
  }: Pick<PaymentEventOf<'PaymentSettled'>['data'], 'receipt'> & { readonly block: number },
  {
    attempt,
    started: { report_expires_at },
    at,
  }: {
    readonly attempt: number;
    readonly started: PaymentEventOf<'SettlementStarted'>['data'];
    readonly at: number;
  },
): PaymentEventOf<'PaymentSettled'> {
  const late = report_expires_at !== null && at > Date.parse(report_expires_at);
  return {
    ...{ v: 1, id: randomUUID(), type: 'PaymentSettled', by: REPAIR },
    at: new Date(at).toISOString(),
    data: { attempt, receipt, block, found_by: 'reconcile', late },
  };
}

/** What a key of `payment_claims` says: network, asset, payer and nonce. */
function nameOf(key: string) {
  const [namespace, reference, asset = '', from = '', nonce = ''] = key.split('.');
  return { network: `${namespace}:${reference}`, asset, from, nonce };
}
