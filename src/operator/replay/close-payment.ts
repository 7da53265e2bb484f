/** Closes payments whose history is damaged or incomplete, according to what the chain shows. */

import { randomUUID } from 'node:crypto';
import { OPERATOR, toEvent } from '../../domain/envelope.ts';
import type { Claim } from '../../domain/payment-events.ts';
import { foldPayment } from '../../projection/fold.ts';
import { askChainReader, attemptsOf, type ChainReader, originals, unstarted } from './ask-chain.ts';
import { patiently } from './concurrently.ts';
import { NEWER, type Remedy, stateOf } from './end-test.ts';
import type { Progress } from './progress.ts';
import type { Source } from './source.ts';
import { findDamaged } from './verify.ts';

interface Options {
  /** The present time, in milliseconds since 1970. */
  readonly now: number;
  /** True to apply the change. Otherwise nothing changes: a dry run. */
  readonly apply: boolean;
  /** `undefined` if no node is known. */
  readonly chain: ChainReader | undefined;
  /** The transaction that paid, if nothing else names it. */
  readonly transaction: string | undefined;
  /**
   * True if the operator has made sure that no authorization has paid. Needed if nothing names an
   * authorization.
   */
  readonly unpaid: boolean;
}

const NO_CHAIN = 'only the chain knows: set X402_RPC_URL and X402_PAY_TO';
const WHOLE = 'its history is complete';
const ABSENT = 'there is no such payment';
const OPEN = 'the chain has not decided yet: close it later';
const NAMELESS =
  'nothing names its authorization: give the transaction that paid (--transaction), or close it as not paid for (--unpaid); `payments --reconcile` shows transfers that are not payments of the log';

type Logs = Pick<Source, 'payments' | 'allClaims' | 'statusViews'>;

/**
 * Runs `replay close`, which closes a payment whose history is damaged or no longer shows what was paid, with
 * one event that says what the chain shows. Nothing is ever removed from `PAYMENTS`, so this is the only
 * remedy.
 */
export async function closePayment(
  source: Logs,
  id: string,
  options: Options,
  all?: ReadonlyMap<string, Claim>,
): Promise<Remedy> {
  const { now, apply, chain, unpaid } = options;
  const remains = await source.payments.readRemains(id);
  const { damage, end } = remains;
  const known = foldPayment(originals(remains));
  const claims = [...(all ?? (await source.allClaims.all()))].filter(([, one]) => one.id === id);
  const isLost = !damage && known.value !== 'paid' && unstarted(claims, remains).length > 0;
  const state = stateOf(`payments.${id}`, damage);
  if (!damage && !isLost)
    return { ...state, why: end === 0 && claims.length === 0 ? ABSENT : WHOLE };
  if (damage?.problem === 'newer') return { ...state, why: NEWER };
  if (!chain) return { ...state, why: NO_CHAIN };

  const expires = (await source.statusViews.get(id))?.expires_at ?? null;
  const found = await askChainReader(chain, { remains, claims, expires, ...options });
  const settled = found.find((one) => typeof one === 'object');
  if (!settled && isLost) return { ...state, why: WHOLE };
  if (!settled && found.includes('open')) return { ...state, why: OPEN };
  const paid = known.context.settled?.receipt.transaction;
  if (!settled && paid)
    return { ...state, why: `the log records it as paid in ${paid}, but the chain does not` };
  if (!settled && found.length === 0 && !unpaid) return { ...state, why: NAMELESS };

  const attempt = settled?.started.attempt ?? attemptsOf(remains);
  const author = { id: randomUUID(), by: OPERATOR, at: now };
  const data = { attempt, settled: settled ?? null };
  const event = toEvent({ type: 'PaymentClosed', data }, author);
  const shown = { event: event.type, transaction: settled?.receipt.transaction ?? null };
  if (!apply) return { ...state, ...shown };
  const { outcome } = await source.payments.append(id, event, end);
  if (outcome !== 'appended') return { ...state, why: `the event could not be stored: ${outcome}` };
  return { ...state, ...shown, appended: true };
}

/**
 * Does the same as `closePayment` for every damaged payment, and for every payment that was claimed and is
 * not in the log as paid.
 */
export async function closeAll(
  source: Logs,
  options: Options,
  progress: Progress,
): Promise<readonly Remedy[]> {
  const damaged = await findDamaged(source.payments, { name: 'payments', progress });
  const claims = await source.allClaims.all();
  const ids = new Set([
    ...damaged.map(({ subject }) => subject.slice('payments.'.length)),
    ...[...claims.values()].map(({ id }) => id),
  ]);
  const closed: Remedy[] = [];
  for (const id of ids) {
    const one = await patiently(() => closePayment(source, id, options, claims));
    if (one.why !== WHOLE) closed.push(one);
    progress('closed', closed.length, () => ids.size);
  }
  return closed;
}
