/**
 * Finds out from the chain what became of a payment whose history in the log is damaged, by the
 * authorizations that the rest of the history and the claims name.
 */

import { paymentOfStart } from '../../actors/settler/ledger.ts';
import type { FoundTransfer } from '../../adapters/chain/find-transfer.ts';
import type { AuthorizationKey } from '../../adapters/chain/token.ts';
import type {
  Claim,
  OriginalPaymentEvent,
  PaymentEvent,
  PaymentEventOf,
} from '../../domain/payment-events.ts';
import type { Remains } from '../../ports/log.ts';
import type { ChainOutcome, PaymentChain } from '../../ports/payment.ts';
import { originalEvents } from '../../projection/original-events.ts';

/** Questions about payments that the chain can answer. */
export interface ChainReader {
  outcome(network: string): PaymentChain['outcome'];
  /** Returns the transfer that an authorization has made, if its name is all that is left of it. */
  find(
    network: string,
    name: AuthorizationKey,
    fromBlock: number,
  ): Promise<FoundTransfer | undefined>;
  /** Returns the transfers to us in one transaction, each with its authorization. */
  findIn(transaction: string): Promise<readonly (FoundTransfer & { readonly claim: string })[]>;
  /** Returns whether a transfer's amount is the price of a report. */
  isPrice(transfer: FoundTransfer): boolean;
}

export type NamedClaims = readonly (readonly [key: string, claim: Claim])[];

type Started = PaymentEventOf<'SettlementStarted'>['data'];
type Settled = PaymentEventOf<'PaymentClosed'>['data']['settled'];

/** The chain's answer about one authorization. */
type Shown = NonNullable<Settled> | 'open' | 'unpaid';

/**
 * How long after its claim an authorization may still be used, in milliseconds. Needed if the claim is all
 * that is left of the authorization.
 */
const LONGEST_MS = 4_200_000;

/** Returns the claims for which no settlement is known. */
export function unstarted(claims: NamedClaims, remains: Remains<PaymentEvent>): NamedClaims {
  const started = new Set(
    originals(remains).flatMap((event) =>
      event.type === 'SettlementStarted' ? event.data.claim : (claimOf(event) ?? []),
    ),
  );
  return claims.filter(([key]) => !started.has(key));
}

const claimOf = (event: OriginalPaymentEvent) =>
  event.type === 'PaymentClosed' ? event.data.settled?.started.claim : undefined;

export const originals = ({ events }: Remains<PaymentEvent>) =>
  originalEvents<OriginalPaymentEvent>(events.map(({ event }) => event));

/** Returns the number of the last settlement that any event names. */
export const attemptsOf = (remains: Remains<PaymentEvent>) =>
  Math.max(1, ...originals(remains).map(({ data }) => data.attempt));

/**
 * Returns the number of a settlement whose start cannot be read: that of the last one, or the next number if
 * the start of the last one is known.
 */
function unreadAttempt(remains: Remains<PaymentEvent>): number {
  const last = attemptsOf(remains);
  const isKnown = ({ type, data }: OriginalPaymentEvent) =>
    type === 'SettlementStarted' && data.attempt === last;
  return originals(remains).some(isKnown) ? last + 1 : last;
}

interface Question {
  /** The present time, in milliseconds since 1970. */
  readonly now: number;
  /** The transaction that paid, according to the operator. */
  readonly transaction: string | undefined;
  readonly remains: Remains<PaymentEvent>;
  readonly claims: NamedClaims;
  /** When the report of this payment is deleted, if known. */
  readonly expires: string | null;
}

/** Returns what the chain shows about each authorization that any remaining event names. */
export async function askChainReader(
  chain: ChainReader,
  question: Question,
): Promise<readonly Shown[]> {
  const { remains, claims, now, transaction, expires } = question;
  const all = originals(remains);
  const shown: Shown[] = [];
  /**
   * The record of the payment decides. If there is none, the payment is late if its report's deletion time
   * has passed by now: nobody was served for a payment that nobody recorded.
   */
  const isLate = (transaction: string, { report_expires_at }: Started) => {
    const recorded = all
      .filter((event) => event.type === 'PaymentSettled')
      .findLast(({ data }) => data.receipt.transaction === transaction);
    const isPast = report_expires_at !== null && now > Date.parse(report_expires_at);
    return recorded?.data.late ?? isPast;
  };
  for (const event of all)
    if (event.type === 'SettlementStarted') {
      const ours = all.flatMap((one) =>
        one.type === 'TransactionSigned' && one.data.attempt === event.data.attempt
          ? one.data.transaction
          : [],
      );
      const started = event.data;
      const ask = chain.outcome(started.requirements.network);
      const found = await ask(paymentOfStart(started), started.from_block, ours);
      shown.push(shownBy(found, started, isLate));
    }
  const attempt = unreadAttempt(remains);
  for (const [key, claim] of unstarted(claims, remains)) {
    const { network, ...name } = nameOf(key);
    const transfer = await chain.find(network, name, claim.from_block);
    if (transfer && chain.isPrice(transfer)) {
      const started = startOf(key, transfer, { attempt, from_block: claim.from_block, expires });
      shown.push(settledBy(key, transfer, started, isLate));
    } else shown.push(now < Date.parse(claim.at) + LONGEST_MS ? 'open' : 'unpaid');
  }
  if (shown.length > 0) return shown;
  const paid = all.findLast((event) => event.type === 'PaymentSettled')?.data.receipt.transaction;
  const named = transaction ?? paid;
  for (const transfer of named === undefined ? [] : await chain.findIn(named)) {
    const from_block = transfer.block;
    const started = startOf(transfer.claim, transfer, { attempt, from_block, expires });
    if (chain.isPrice(transfer)) shown.push(settledBy(transfer.claim, transfer, started, isLate));
  }
  return shown;
}

type IsLate = (transaction: string, started: Started) => boolean;

function shownBy(found: ChainOutcome, started: Started, isLate: IsLate): Shown {
  if (found.state === 'open') return 'open';
  if (found.state !== 'settled') return 'unpaid';
  const { receipt, block } = found;
  return { started, receipt, block, late: isLate(receipt.transaction, started) };
}

function settledBy(key: string, transfer: FoundTransfer, started: Started, isLate: IsLate): Shown {
  const { transaction, block, from } = transfer;
  const receipt = { success: true, transaction, network: nameOf(key).network, payer: from };
  return { started, receipt, block, late: isLate(transaction, started) };
}

interface Beginning {
  readonly attempt: number;
  readonly from_block: number;
  readonly expires: string | null;
}

/** Returns the settlement that made a transfer, as far as the chain shows it. */
function startOf(
  claim: string,
  { from, to, value, time }: FoundTransfer,
  { attempt, from_block, expires }: Beginning,
): Started {
  const { network, asset, nonce } = nameOf(claim);
  return {
    ...{ attempt, mode: 'self', claim },
    requirements: {
      ...{ scheme: 'exact', network, amount: value, asset, payTo: to },
      maxTimeoutSeconds: 120,
    },
    // The signature has already been used, so it is not needed. Of the two time bounds of the authorization,
    // only the end matters.
    payload: {
      signature: '0x',
      authorization: { from, to, value, nonce, validAfter: '0', validBefore: String(time + 1) },
    },
    from_block,
    report_expires_at: expires,
  };
}

/** Reads a key of `payment_claims`: network, asset, payer and nonce. */
function nameOf(key: string) {
  const [namespace, reference, asset = '', from = '', nonce = ''] = key.split('.');
  return { network: `${namespace}:${reference}`, asset, from, nonce };
}
