import { setTimeout as sleep } from 'node:timers/promises';
import { claimKey, judgeTimes } from '../../domain/payment-terms.ts';
import type { Claim } from '../../ports/log.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import type { PayerTraits, Turn, TurnRefused } from './budget.ts';
import { OPEN, type Resolution, type SettlementContext } from './context.ts';
import type { Account } from './ledger.ts';
import { recordFailed } from './outcome.ts';
import { type Purchase, secondsLeft } from './purchase.ts';
import { reconcile, runSettlement } from './settle.ts';

/** The steps of a job in the order of work: `docs/payments.md` numbers them. */

/** Settlements tried for one test before its buyer is asked to stop. */
const MAX_ATTEMPTS = 20;

/** Between two looks at the payer's balance, or at the head, in milliseconds. */
const POLL_MS = 100;

/** Longest wait for a block, in milliseconds: two of Base. A chain that stands still refuses later. */
const LONGEST_BLOCK_MS = 4_000;

/** Blocks before the head from which the chain is searched: a few for a reorganisation. */
const SEARCH_MARGIN = 10;

/** Step 9. The report that this authorization was claimed for, if it was. */
export const readOwner = ({ claims }: SettlementContext, payment: SignedPayment) =>
  claims.owner(claimKey(payment.requirements, payment.authorization));

/**
 * Step 10. Whether the money has arrived already: the payer may have broadcast it, or we may have
 * died between the claim and the start. Then it opens the report, whatever is the time or the number
 * of attempts.
 */
export async function findArrived(
  { answers, chain }: SettlementContext,
  { id }: Purchase,
  payment: SignedPayment,
  owner: Claim | undefined,
): Promise<Claim | undefined> {
  if (owner?.id !== id) return undefined;
  const found = await chain.outcome(payment, owner.from_block).catch(rejectWith(answers.upstream));
  return found.state === 'settled' ? owner : undefined;
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
  const left = secondsLeft(purchase, clock());
  const fault = judgeTimes(payment.authorization, clock(), purchase.deadline);
  // By a clock of ours that is wrong, nobody's payment is.
  if (fault) throw canSell() ? answers.invalid(fault, left) : answers.unsold();
  if (state.context.attempts >= MAX_ATTEMPTS) throw answers.tooManyAttempts();
  if (owner && owner.id !== purchase.id) throw answers.usedElsewhere(left);
}

/**
 * Step 12. A place among the settlements of this payer: one while it has paid for none, more as they
 * settle. Others wait in line.
 */
export async function takeTurn(
  context: SettlementContext,
  { id }: Purchase,
  { authorization }: SignedPayment,
): Promise<Turn> {
  const { answers, budget, jobs, timeouts, unresolved } = context;
  const payer = authorization.from.toLowerCase();
  const elsewhere = () => {
    let open = 0;
    for (const [other, { context: theirs }] of unresolved())
      if (other !== id && !jobs.of(other))
        if (theirs.started?.payload.authorization.from.toLowerCase() === payer) open += 1;
    return open;
  };
  return admitted(answers, await budget.enterPayer(payer, timeouts.line, elsewhere));
}

/**
 * Step 13. Whether we can sell, the block to search from later, and whether the chain would take this
 * payment, once the payer's balance covers it besides all that it has under way here.
 */
export async function checkPayment(
  { answers, chain, clock, ledger, settlement, timeouts }: SettlementContext,
  purchase: Purchase,
  { seq }: Account,
  payment: SignedPayment,
  turn: Turn | undefined,
): Promise<Checked | 'lost'> {
  const price = BigInt(payment.requirements.amount);
  const covered = async ({ ahead }: Turn) =>
    (await chain.balance(payment)) >= price * BigInt(ahead() + 1);
  const until = performance.now() + timeouts.line;
  // One ahead that has just been paid for is gone from the balance, and leaves in a moment.
  while (turn && turn.ahead() > 0 && !(await covered(turn).catch(rejectWith(answers.upstream)))) {
    if (performance.now() > until) throw answers.inLine();
    await sleep(POLL_MS);
  }
  const head = settlement.ready().then(() => chain.head());
  const verifying = settlement.verify(payment, timeouts.verify);
  const [found, asked] = await Promise.allSettled([head, verifying]);
  if (found.status === 'rejected') throw answers.upstream(found.reason);
  const from_block = Math.max(0, found.value.number - SEARCH_MARGIN);
  const verdict = asked.status === 'fulfilled' ? asked.value : undefined;
  if (verdict?.ok) return { from_block, code: verdict.code };
  // A facilitator has seen it, and may have settled it whatever it says.
  if (settlement.mode === 'facilitator') {
    const now = await chain.outcome(payment, from_block).catch(rejectWith(answers.upstream));
    if (now.state === 'settled' && now.block > found.value.number)
      return { from_block, arrived: true };
  }
  if (!verdict) throw answers.upstream((asked as PromiseRejectedResult).reason);
  // Another replica may have settled this very payment meanwhile: then it is used, by us.
  if ((await ledger.read(purchase.id)).seq !== seq) return 'lost';
  throw answers.invalid(verdict.reason, secondsLeft(purchase, clock()));
}

interface Checked {
  readonly from_block: number;
  /** Hash of the code of a contract wallet. */
  readonly code?: string | undefined;
  /** The money has moved while it was checked. */
  readonly arrived?: true;
}

/**
 * Step 14. While too many plain accounts take their money back, one that never paid has to have it
 * a block later still: by then a transfer that was meant to overtake ours shows.
 */
export async function checkNextBlock(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  payment: SignedPayment,
  turn: Turn | undefined,
  checked: Checked,
): Promise<Checked | 'lost'> {
  const { answers, budget, chain } = context;
  if (!budget.isWary(traitsOf(purchase, payment, checked))) return checked;
  const number = () => chain.head().then((head) => head.number, rejectWith(answers.upstream));
  const [before, until] = [await number(), performance.now() + LONGEST_BLOCK_MS];
  while ((await number()) === before && performance.now() < until) await sleep(POLL_MS);
  return checkPayment(context, purchase, account, payment, turn);
}

/** Step 15. A place among wallets with the same code, and among buyers of the sample. */
export async function takeSharedTurn(
  { answers, budget, timeouts }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  checked: Checked,
): Promise<Turn> {
  const traits = traitsOf(purchase, payment, checked);
  return admitted(answers, await budget.enterShared(traits, timeouts.line));
}

const traitsOf = (
  { deadline }: Purchase,
  { authorization }: SignedPayment,
  { code }: Checked,
): PayerTraits => ({
  payer: authorization.from.toLowerCase(),
  code,
  isSample: deadline === null,
});

function admitted(
  { blocked, inLine }: SettlementContext['answers'],
  turn: Turn | TurnRefused,
): Turn {
  if (turn === 'blocked') throw blocked();
  if (turn === 'busy') throw inLine();
  return turn;
}

/** Step 16. What cannot be served is not charged. */
export const loadReport = ({ load }: Purchase) => load();

/** Step 17. Binds the authorization to this report, durably. */
export async function claimAuthorization(
  { answers, claims, clock, replica }: SettlementContext,
  purchase: Purchase,
  payment: SignedPayment,
  from_block: number,
): Promise<Claim> {
  const key = claimKey(payment.requirements, payment.authorization);
  const at = new Date(clock()).toISOString();
  const owner = await claims.claim(key, { id: purchase.id, at, by: replica, from_block });
  if (owner.id !== purchase.id) throw answers.usedElsewhere(secondsLeft(purchase, clock()));
  return owner;
}

/**
 * Step 18. The intent is durable before anything is settled. `undefined`: another was first. Anyone who deletes
 * the test looks for a start before: one that comes after the deletion is taken back.
 */
export async function recordStart(
  context: SettlementContext,
  { deadline, payBefore, isThere }: Purchase,
  account: Account,
  { requirements, signature, authorization, echoed }: SignedPayment,
  { from_block }: Claim,
  arrived: boolean,
): Promise<Account | undefined> {
  const { answers, clock, ledger, settlement } = context;
  if (!arrived && clock() > payBefore) throw answers.gone();
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
  if (appended.outcome !== 'appended') throw answers.logUnavailable();
  if (arrived || (await isThere())) return appended.after;
  const failed = await recordFailed(context, appended.after, 'refused', 'test_deleted');
  throw failed.state === 'failed' ? answers.gone() : answers.pending();
}

/** Step 19. Moves the money and records what came of it. From here on, what fails is unknown. */
export const settle = (context: SettlementContext, started: Account): Promise<Resolution> =>
  runSettlement(context, started, 'settle').catch((error: unknown) =>
    interrupted(context, started.id, error),
  );

/** Step 20. The settlement does not know, or the money was there before: the chain decides. */
export const askChain = (context: SettlementContext, { id }: Purchase): Promise<Resolution> =>
  reconcile(context, id, false).catch((error: unknown) => interrupted(context, id, error));

function interrupted({ logger }: SettlementContext, id: string, error: unknown): Resolution {
  logger.warn({ payment_id: id, err: error }, 'settlement interrupted');
  return OPEN;
}

const rejectWith =
  (wrap: (cause: unknown) => Error) =>
  (cause: unknown): never => {
    throw wrap(cause);
  };
