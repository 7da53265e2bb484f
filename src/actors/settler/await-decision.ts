/**
 * Waits for a limited time until a settlement with an unknown outcome is decided, by this replica or by
 * another one, and recognizes whether a settlement in progress is for the payment in a request.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Authorization } from '../../domain/x402.ts';
import type { ReportRequest } from '../../ports/payment.ts';
import { doneWithin } from '../done-within.ts';
import { type JobResult, LOST, type Resolution, type SettlementContext } from './context.ts';
import type { Account } from './ledger.ts';
import { recorded } from './outcome.ts';
import type { Purchase } from './purchase.ts';
import { readSigned } from './sent-payment.ts';
import { reconcile } from './settle.ts';

/** Pause between two reads of another replica's work while a request waits for it, in milliseconds. */
const POLL_MS = 250;

/**
 * Returns whether the settlement in progress is for the payment in this header. The sample has no token, so
 * only the same signature shows whose payment it is. A payment for a test's report may be spelled differently
 * and still be the same.
 */
export function isOwnSettlement(
  { deadline }: Pick<Purchase, 'deadline'>,
  { state }: Account,
  header: string | undefined,
): boolean {
  const { started } = state.context;
  const sent = readSigned(header);
  if (state.value !== 'settling' || !started || !sent) return false;
  const { signature, authorization } = started.payload;
  const isSigned = deadline !== null || sent.signature.toLowerCase() === signature.toLowerCase();
  return isSigned && canonical(sent.authorization) === canonical(authorization);
}

/** The chain does not distinguish the letter case of hex digits. */
const canonical = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce].join().toLowerCase();

/**
 * Waits for the end of a settlement whose outcome is unknown: until nobody waits for the response any more,
 * or until the authorization has ended and the chain has had time to show its outcome.
 *
 * @param first how the job that took the payment ended; `undefined` while it is still running
 */
export async function awaitDecision(
  context: SettlementContext,
  purchase: Purchase,
  { paymentHeader: header, mayWait = () => false }: ReportRequest,
  first: JobResult | undefined,
): Promise<JobResult | undefined> {
  const { clock, jobs, timeouts } = context;
  const validBefore = Number(readSigned(header)?.authorization.validBefore) * 1000;
  const begun = performance.now();
  const isInTime = () =>
    performance.now() - begun < timeouts.decision && clock() <= validBefore + timeouts.decided;
  let result = first;
  while (isOpen(result) && mayWait() && isInTime()) {
    // Loads the report now, so that it can be served even if it is deleted during the wait.
    purchase.load().catch(() => undefined);
    const job = jobs.of(purchase.id);
    // A job for another payment has begun, so this one has ended without moving money.
    if (job?.payment !== undefined && job.payment !== header) return LOST;
    const waitedMs = performance.now() - begun;
    const look = job?.done ?? lookAndPause(context, purchase.id, waitedMs, mayWait);
    result = await doneWithin(look, timeouts.firstPause);
  }
  return result;
}

/** Returns whether waiting can help. It cannot while the code of the payer's own account refuses. */
const isOpen = (result: JobResult | undefined): boolean =>
  !result || (result.state === 'open' && !result.isRefusedByCode);

/**
 * Asks the chain, then pauses. The longer the wait, the longer the pause. Both are one job, so that many
 * requests for the same payment ask no more often than a single request.
 */
function lookAndPause(
  context: SettlementContext,
  id: string,
  waitedMs: number,
  mayWait: () => boolean,
): Promise<JobResult> {
  const { jobs, ledger, replica, timeouts } = context;
  const { firstPause, longestPause } = timeouts;
  const pause = Math.min(longestPause, Math.max(firstPause, waitedMs / 10));
  return jobs.begin(id, undefined, async () => {
    const account = await ledger.read(id);
    const resolution = await lookAfter(context, account, pause);
    const until = performance.now() + (account.by === replica ? pause : 0);
    while (isOpen(resolution) && mayWait() && performance.now() < until)
      await sleep(Math.min(firstPause, until - performance.now()));
    return resolution;
  });
}

/** Asks the chain, and waits for the replica that is working on the settlement. */
export async function lookAfter(
  context: SettlementContext,
  { id, by }: Account,
  milliseconds: number,
): Promise<Resolution> {
  const until = performance.now() + milliseconds;
  let resolution = await reconcile(context, id);
  while (resolution.state === 'open' && by !== context.replica && performance.now() < until) {
    await sleep(POLL_MS);
    resolution = await recorded(context, id);
  }
  return resolution;
}
