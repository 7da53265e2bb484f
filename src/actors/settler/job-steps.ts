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
import type { Purchase } from './purchase.ts';
import { askChain, runSettlement } from './settle.ts';

/** The steps of a job in the order of work: their numbers are held by a test. */

/** Settlements tried for one test before its buyer is asked to stop. */
const MAX_ATTEMPTS = 20;

/** Between two looks at the chain, in milliseconds. */
const POLL_MS = 100;

/** From a second to the node's showing a block that is past it, in milliseconds. */
const BLOCK_MS = 3_000;

/** Blocks before the head from which the chain is searched: a few for a reorganisation. */
const SEARCH_MARGIN = 10;

/** Step 9. The report that this authorization was claimed for, if it was. */
export const readOwner = ({ claims }: SettlementContext, payment: SignedPayment) =>
  claims.owner(claimKey(payment.requirements, payment.authorization));

/**
 * Step 10. Whether the money has arrived already: anyone may have broadcast it since it was claimed. Then
 * it opens the report, whatever is the time, the number of attempts or what was answered before.
 */
export async function findArrived(
  context: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  owner: Claim | undefined,
): Promise<Claim | undefined> {
  const { answers, chain } = context;
  if (owner?.id !== purchase.id) return undefined;
  // The claim was made after this very signature had been checked.
  if (owner.signature_sha256 !== hashOf(payment)) await checkSignature(context, purchase, payment);
  const end = await chain.ended(payment, owner.from_block).catch(rejectWith(answers.upstream));
  if (end === 'spent') throw answers.used(purchase);
  return end && owner;
}

/** Step 11. The closing margin, the time bounds, the number of attempts, another report's claim. */
export function refuseObstacles(
  { answers, canSell, clock }: SettlementContext,
  purchase: Purchase,
  { state }: Account,
  payment: SignedPayment,
  owner: Claim | undefined,
): void {
  if (clock() > purchase.payBefore) throw answers.gone();
  const fault = judgeTimes(payment.authorization, clock(), purchase.deadline);
  // By a clock of ours that is wrong, nobody's payment is.
  if (fault) throw canSell() ? answers.invalid(purchase, fault) : answers.unsold();
  if (state.context.attempts >= MAX_ATTEMPTS) throw answers.tooManyAttempts();
  if (owner && owner.id !== purchase.id) throw answers.used(purchase);
}

/** Step 12. Who has not signed it takes nothing of the payer's. Gives the payment as the token takes it. */
export async function checkSignature(
  { answers, chain }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
): Promise<SignedPayment> {
  const verdict = await chain.checkSignature(payment).catch(rejectWith(answers.upstream));
  if (verdict.ok) return verdict.payment;
  throw answers.invalid(purchase, verdict.reason);
}

/**
 * Step 13. Whether we can sell, the block to search from later, and that the authorization was not used before
 * it came here: what is on the chain anyone can copy. `lost`: it was claimed for this report meanwhile.
 */
export async function checkUnused(
  context: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  owner: Claim | undefined,
): Promise<number | 'lost'> {
  const { answers, budget, chain, settlement } = context;
  const isProven = budget.isProven(payment.authorization.from);
  const [, head, end] = await Promise.all([
    settlement.ready(isProven ? null : networksOf(purchase.ip)),
    chain.head(),
    // One that was claimed has just been looked for.
    owner ? undefined : chain.ended(payment),
  ]).catch(rejectWith(answers.upstream));
  if (!end) return Math.max(0, head - SEARCH_MARGIN);
  if ((await readOwner(context, payment))?.id !== purchase.id) throw answers.used(purchase);
  // Claimed for this report, and a moment ago its money was not there: a later look finds it.
  await sleep(POLL_MS);
  return 'lost';
}

/**
 * Step 14. A place among the settlements of this payer: one while it has paid for none, more as they
 * settle. Others wait in line.
 */
export async function takeTurn(
  { answers, budget, jobs, timeouts, unresolved }: SettlementContext,
  { id }: Purchase,
  { authorization }: SignedPayment,
): Promise<Turn> {
  const payer = authorization.from.toLowerCase();
  const elsewhere = () => {
    let open = 0;
    // One that is looked at here holds no place.
    for (const [other, { context: theirs }] of unresolved())
      if (other !== id && jobs.of(other)?.payment === undefined)
        if (theirs.started?.payload.authorization.from.toLowerCase() === payer) open += 1;
    return open;
  };
  const turn = await budget.enter(payer, timeouts.line, elsewhere);
  if ('leave' in turn) return turn;
  throw turn.blockedMs === undefined ? answers.inLine() : answers.blocked(turn.blockedMs);
}

/** Step 15. What cannot be served is not charged. */
export const loadReport = ({ load }: Purchase) => load();

/** Step 16. Binds the authorization to this report, durably, until the claim's age ends. */
export async function claimAuthorization(
  { answers, budget, chain, claims, clock, replica, shares }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  from_block: number,
  owner: Claim | undefined,
): Promise<Claim> {
  if (owner) return owner;
  const isProven = budget.isProven(payment.authorization.from);
  const waitMs = isProven ? 0 : shares.claim(purchase);
  if (waitMs > 0) {
    // Claims cost nothing, so anyone can use them up: who has the money takes of the starts instead.
    const balance = await chain.balance(payment).catch(rejectWith(answers.upstream));
    const isCovered = balance >= BigInt(payment.requirements.amount);
    if (!isCovered || shares.start(purchase) > 0) throw answers.tooManyUnpaid(waitMs);
  }
  const claim = await claims.claim(claimKey(payment.requirements, payment.authorization), {
    id: purchase.id,
    at: new Date(clock()).toISOString(),
    by: replica,
    from_block,
    signature_sha256: hashOf(payment),
  });
  if (claim.id !== purchase.id) throw answers.used(purchase);
  return claim;
}

/**
 * Step 17. Waits until the chain is past `validAfter`, and the payer's balance covers this besides what it has
 * under way ahead of it. `lost`: this very payment has moved meanwhile.
 */
export async function awaitFunds(
  { answers, budget, chain, clock, ledger, timeouts }: SettlementContext,
  purchase: Purchase,
  { seq }: Account,
  payment: SignedPayment,
  { from_block }: Claim,
  turn: Turn,
): Promise<'lost' | 'covered'> {
  const { from, validAfter } = payment.authorization;
  await sleep(Math.max(0, Number(validAfter) * 1000 + BLOCK_MS - clock()));
  const price = BigInt(payment.requirements.amount);
  const until = performance.now() + timeouts.line;
  for (;;) {
    const ahead = turn.ahead();
    const balance = await chain.balance(payment).catch(rejectWith(answers.upstream));
    if (balance >= price * BigInt(ahead + 1)) return 'covered';
    if (ahead === 0) break;
    // One ahead that has just been paid for is gone from the balance, and leaves in a moment.
    if (performance.now() > until) throw answers.inLine();
    await sleep(POLL_MS);
  }
  if ((await ledger.read(purchase.id)).seq !== seq) return 'lost';
  const end = await chain.ended(payment, from_block).catch(rejectWith(answers.upstream));
  if (end === 'settled') return 'lost';
  budget.doubt(from);
  throw answers.invalid(purchase, 'invalid_exact_evm_insufficient_balance');
}

/**
 * Step 18. The intent is durable before the payment is shown to anyone. `undefined`: another was first. Anyone
 * who deletes the test looks for a start before: one that comes after the deletion is taken back.
 */
export async function recordStart(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  { requirements, signature, authorization, echoed }: SignedPayment,
  { from_block }: Claim,
  isArrived: boolean,
): Promise<Account | undefined> {
  const { answers, budget, clock, ledger, settlement, shares } = context;
  const { deadline, payBefore, isThere } = purchase;
  if (!isArrived && clock() > payBefore) throw answers.gone();
  // The money that has arrived, and who has paid, take nothing of others.
  const isFree = isArrived || budget.isProven(authorization.from);
  const waitMs = isFree ? 0 : shares.start(purchase);
  if (waitMs > 0) throw answers.tooManyUnpaid(waitMs);
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
  if (appended.outcome === 'full') throw answers.logUnavailable();
  // If it is stored after all, it is settled: nobody may be told that nothing was charged.
  if (appended.outcome !== 'appended') throw answers.pending();
  if (isArrived || (await isThere())) return appended.after;
  const failed = await recordFailed(context, appended.after, 'refused', 'test_deleted');
  throw failed.state === 'failed' ? answers.gone() : answers.pending();
}

/** Step 19. Moves the money, if it has not arrived; the chain says what came of it. What fails here is unknown. */
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
