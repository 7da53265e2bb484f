/**
 * Defines steps 9 to 21 of a paid read, which a job runs: they look for money that has already arrived, check
 * the payment, take places within the limits, load the report, claim the authorization, wait for the payer's
 * funds, record the start, and settle. A test checks the order.
 */

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { networksOf } from '../../domain/fairness/networks.ts';
import type { Claim } from '../../domain/payment-events.ts';
import { claimKey, judgeTimes } from '../../domain/payment-terms.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import type { Turn } from './budget.ts';
import { OPEN, type Resolution, type SettlementContext } from './context.ts';
import type { Account } from './ledger.ts';
import { recordFailed } from './outcome.ts';
import { OPEN_PLACE, type Place } from './places.ts';
import type { Purchase } from './purchase.ts';
import { askChain, runSettlement } from './settle.ts';

/** Number of settlements that are tried for one test before its buyer is asked to stop. */
const MAX_ATTEMPTS = 20;

/** Pause between two checks of the chain, in milliseconds. */
const POLL_MS = 100;

/** Time from a given second until the node shows a block that is past it, in milliseconds. */
const BLOCK_MS = 3_000;

/**
 * Number of blocks before the head at which the search of the chain begins: a few, in case of a
 * reorganization.
 */
const SEARCH_MARGIN = 10;

/** Step 9. Returns the report for which this authorization was claimed, if there is one. */
export const readOwner = ({ claims }: SettlementContext, payment: SignedPayment) =>
  claims.owner(claimKey(payment.requirements, payment.authorization));

/**
 * Step 10. Checks whether the money has already arrived, because anyone may have broadcast the payment since
 * it was claimed. If it has, it opens the report, regardless of the time, the number of attempts and earlier
 * responses.
 */
export async function findArrived(
  context: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  owner: Claim | undefined,
): Promise<Claim | undefined> {
  const { errors, chain, shares } = context;
  if (owner?.id !== purchase.id) return undefined;
  const waitMs = shares.arrival(claimKey(payment.requirements, payment.authorization));
  if (waitMs > 0) throw errors.tooManyQuestions(waitMs);
  // The claim was made after this very signature had been checked, so a check is needed only for a different
  // signature.
  if (owner.signature_sha256 !== hashOf(payment)) await checkSignature(context, purchase, payment);
  const end = await chain.ended(payment, owner.from_block).catch(rejectWith(errors.upstream));
  if (end === 'spent') throw errors.used(purchase);
  return end && owner;
}

/**
 * Step 11. Refuses a purchase within the closing margin, outside the time bounds, after too many attempts,
 * with an authorization that was claimed for another report, or from a payer that has to wait.
 */
export function refuseObstacles(
  { errors, budget, canSell, clock }: SettlementContext,
  purchase: Purchase,
  { state }: Account,
  payment: SignedPayment,
  owner: Claim | undefined,
): void {
  if (clock() > purchase.payBefore) throw errors.closed(purchase);
  const fault = judgeTimes(payment.authorization, clock(), purchase.deadline);
  // If our clock may be wrong, don't reject a payment because of it.
  if (fault)
    throw canSell() ? errors.invalid(purchase, fault.error, fault.detail) : errors.unsold();
  if (state.context.attempts >= MAX_ATTEMPTS) throw errors.tooManyAttempts();
  if (owner && owner.id !== purchase.id) throw errors.used(purchase);
  const blockedMs = budget.blockedMs(payment.authorization.from);
  if (blockedMs > 0) throw errors.blocked(blockedMs);
}

/**
 * Step 12. Takes a place among the payments about which the node is queried. A payment that comes to nothing
 * keeps its place for a minute. Payments signed by a key and those that only the node can judge have separate
 * places.
 */
export async function takeLook(
  { errors, chain, shares }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  patience: number,
): Promise<Place> {
  const judged = (await chain.isSignedByKey(payment)) ? 'key' : 'wallet';
  const look = await shares.look(judged, purchase, patience);
  if (!('leave' in look)) throw errors.tooManyQuestions(look.freeInMs);
  // A contract may also cause the node to give no answer.
  if (judged === 'wallet') look.stay();
  return look;
}

/**
 * Step 13. Checks the signature, because only the payer's own signature uses up the payer's limits. Returns
 * the payment in the form that the token accepts.
 */
export async function checkSignature(
  { errors, chain }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
): Promise<SignedPayment> {
  const verdict = await chain.checkSignature(payment).catch(rejectWith(errors.upstream));
  if (verdict.ok) return verdict.payment;
  throw errors.invalid(purchase, verdict.reason);
}

/**
 * Step 14. Checks that we can sell, and that the authorization was not used before it was sent to us, because
 * anyone can copy what is on the chain. Returns the block from which to search later, or `lost` if the
 * authorization was claimed for this report in the meantime.
 */
export async function checkUnused(
  context: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  owner: Claim | undefined,
): Promise<number | 'lost'> {
  const { errors, budget, chain, settlement } = context;
  const isProven = budget.isProven(payment.authorization.from);
  const [, head, end] = await Promise.all([
    settlement.ready(isProven ? null : networksOf(purchase.ip)),
    chain.head(),
    // For a claimed authorization, step 10 has just searched the chain.
    owner ? undefined : chain.ended(payment),
  ]).catch(rejectWith(errors.upstream));
  if (!end) return Math.max(0, head - SEARCH_MARGIN);
  if ((await readOwner(context, payment))?.id !== purchase.id) throw errors.used(purchase);
  // The authorization was claimed for this report, and its money had not arrived a moment ago. A later look
  // finds it.
  await sleep(POLL_MS);
  return 'lost';
}

/**
 * Step 15. Takes a place among this payer's settlements. A payer has one place until it has paid, and more as
 * its settlements succeed. Other payments of the payer wait in line.
 */
export async function takeTurn(
  { errors, budget, jobs, unresolved }: SettlementContext,
  { id }: Purchase,
  { authorization }: SignedPayment,
  patience: number,
): Promise<Turn> {
  const payer = authorization.from.toLowerCase();
  const elsewhere = () => {
    let open = 0;
    // A settlement that this process is only checking holds no place in the payer's line, so it is counted
    // here.
    for (const [other, { context: theirs }] of unresolved())
      if (other !== id && jobs.of(other)?.payment === undefined)
        if (theirs.started?.payload.authorization.from.toLowerCase() === payer) open += 1;
    return open;
  };
  const turn = await budget.enter(payer, patience, elsewhere);
  if ('leave' in turn) return turn;
  throw turn.blockedMs === undefined ? errors.inLine() : errors.blocked(turn.blockedMs);
}

/**
 * Step 16. Takes a place among the settlements of payers that have never paid, shared by network. A place
 * becomes free when its payment goes through. Others wait in line in the meantime.
 */
export async function takePlace(
  { errors, budget, shares }: SettlementContext,
  purchase: Purchase,
  { authorization }: SignedPayment,
  look: Place,
  patience: number,
): Promise<Place> {
  // The payer has signed this authorization, and it is unused.
  look.giveBack();
  if (budget.isProven(authorization.from)) return OPEN_PLACE;
  const place = await shares.start(purchase, patience);
  if ('leave' in place) return place;
  if (place.isBusy) throw errors.crowded(place.freeInMs);
  look.stay();
  throw errors.tooManyUnpaid(place.freeInMs);
}

/** Step 17. Loads the report first, because a report that cannot be served must not be charged for. */
export const loadReport = ({ load }: Purchase) => load();

/** A claim, and what to do with the quota that it took once the payer's balance is known. */
interface Claimed {
  readonly claim: Claim;
  covered(): void;
  uncovered(): void;
}

const nothing = () => {};

/** Step 18. Binds the authorization to this report, durably, until the claim expires. */
export async function claimAuthorization(
  { errors, budget, chain, claims, clock, replica, shares }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  from_block: number,
  owner: Claim | undefined,
  { place, look }: Readonly<Record<'place' | 'look', Place>>,
): Promise<Claimed> {
  const free = { covered: nothing, uncovered: nothing };
  if (owner) return { claim: owner, ...free };
  const isProven = budget.isProven(payment.authorization.from);
  const share = isProven ? nothing : shares.claim(purchase);
  if (typeof share === 'object') {
    // Claims are free, so anyone can exhaust them. A payer whose balance covers the price then uses its place
    // among the starts instead.
    const balance = await chain.balance(payment).catch(rejectWith(errors.upstream));
    const isCovered = balance >= BigInt(payment.requirements.amount);
    // The balance may be too low because the price has just been paid to us. In that case, the authorization
    // is claimed anyway.
    const hasMoved = async () => (await chain.ended(payment, from_block)) === 'settled';
    if (!isCovered && !(await hasMoved().catch(rejectWith(errors.upstream)))) {
      look.stay();
      throw errors.unfunded(share.freeInMs);
    }
  }
  const claim = await claims.claim(claimKey(payment.requirements, payment.authorization), {
    id: purchase.id,
    at: new Date(clock()).toISOString(),
    by: replica,
    from_block,
    signature_sha256: hashOf(payment),
  });
  if (claim.id !== purchase.id) throw errors.used(purchase);
  return typeof share === 'object'
    ? { claim, ...free, uncovered: () => shares.keep(purchase.id, place) }
    : { claim, ...free, covered: share };
}

/**
 * Step 19. Waits until the chain is past `validAfter` and the payer's balance covers this payment in addition
 * to those ahead of it. Returns `lost` if this very payment has moved in the meantime.
 */
export async function awaitFunds(
  { errors, budget, chain, clock, ledger, timeouts }: SettlementContext,
  purchase: Purchase,
  { seq }: Account,
  payment: SignedPayment,
  { claim, covered, uncovered }: Claimed,
  turn: Turn,
): Promise<'lost' | 'covered'> {
  const { from, validAfter } = payment.authorization;
  await sleep(Math.max(0, Number(validAfter) * 1000 + BLOCK_MS - clock()));
  const price = BigInt(payment.requirements.amount);
  const until = performance.now() + timeouts.line;
  for (;;) {
    const ahead = turn.ahead();
    const balance = await chain.balance(payment).catch(rejectWith(errors.upstream));
    if (balance >= price * BigInt(ahead + 1)) {
      covered();
      return 'covered';
    }
    if (ahead === 0) break;
    // A payment ahead that has just settled is already deducted from the balance, and leaves the line in a
    // moment.
    if (performance.now() > until) throw errors.inLine();
    await sleep(POLL_MS);
  }
  if ((await ledger.read(purchase.id)).seq !== seq) return 'lost';
  const end = await chain.ended(payment, claim.from_block).catch(rejectWith(errors.upstream));
  if (end === 'settled') return 'lost';
  uncovered();
  budget.doubt(from);
  throw errors.invalid(purchase, 'invalid_exact_evm_insufficient_balance');
}

/**
 * Step 20. Makes the intent durable before the payment is shown to anyone. Returns `undefined` if another
 * request was first. Deleting a test begins with looking for a start, and a start that comes after the
 * deletion is taken back.
 */
export async function recordStart(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  { requirements, signature, authorization, echoed }: SignedPayment,
  { from_block }: Claim,
  place: Place | 'arrived',
): Promise<Account | undefined> {
  const { errors, clock, ledger, settlement, shares } = context;
  const { deadline, payBefore, isThere } = purchase;
  const isArrived = place === 'arrived';
  if (!isArrived && clock() > payBefore) throw errors.closed(purchase);
  // The payment may have waited in line for a long time.
  const fault = isArrived ? undefined : judgeTimes(authorization, clock(), deadline);
  if (fault) throw errors.invalid(purchase, fault.error, fault.detail);
  const appended = await ledger.append(account, 'SettlementStarted', {
    attempt: account.state.context.attempts + 1,
    mode: settlement.mode,
    claim: claimKey(requirements, authorization),
    requirements,
    payload: { signature, authorization },
    ...(echoed && { echoed }),
    from_block,
    report_expires_at: deadline === null ? null : new Date(deadline).toISOString(),
  });
  if (appended.outcome === 'lost') return undefined;
  if (appended.outcome === 'full') throw errors.logUnavailable();
  if (!isArrived) shares.keep(purchase.id, place);
  // If the start was stored after all, it will be settled. Nobody may be told that nothing was charged.
  if (appended.outcome !== 'appended') throw errors.pending();
  if (isArrived || (await isThere())) return appended.after;
  const failed = await recordFailed(context, appended.after, 'refused', 'test_deleted');
  throw failed.state === 'failed' ? errors.gone() : errors.pending();
}

/**
 * Step 21. Moves the money unless it has already arrived. The chain shows the outcome, so a failure here
 * means that the outcome is unknown.
 */
export async function settle(
  context: SettlementContext,
  { ip }: Purchase,
  started: Account,
  isArrived: boolean,
): Promise<Resolution> {
  const { id } = started;
  const work = isArrived ? askChain(context, id) : runSettlement(context, started, networksOf(ip));
  return work.catch((error: unknown): Resolution => {
    context.logger.warn({ payment_id: id, err: error }, 'settlement interrupted');
    return OPEN;
  });
}

const hashOf = ({ signature }: SignedPayment) =>
  createHash('sha256').update(signature.toLowerCase()).digest('hex');

const rejectWith =
  (wrap: (cause: unknown) => Error) =>
  (cause: unknown): never => {
    throw wrap(cause);
  };
