/**
 * Defines steps 1 to 8 of a paid read, which each request runs: they find out what is bought, join or await
 * other work on it, serve a report that is paid for, refuse while money may be moving, read the payment from
 * its header, begin the job, and respond with its result. A test checks the order.
 */

import type { ServiceError } from '../../domain/errors.ts';
import { judgePayment, paymentTerms } from '../../domain/payment-terms.ts';
import type { PaidReport, ReportRequest, SignedPayment } from '../../ports/payment.ts';
import { doneWithin } from '../done-within.ts';
import { lookAfter } from './await-decision.ts';
import type { JobResult, SettlementContext } from './context.ts';
import { checkSignature, takeLook } from './job-steps.ts';
import type { Account } from './ledger.ts';
import { type Purchase, samplePurchase, secondsLeft, testPurchase } from './purchase.ts';
import { readPayment, readSigned } from './sent-payment.ts';

/** Returns the milliseconds that a request may still wait, at most `most`. */
export type Remaining = (most?: number) => number;

/**
 * Step 1. Returns what is bought: a test's report, or the sample report, which is bought by one
 * authorization.
 */
export function openPurchase(
  context: SettlementContext,
  { testId, row, ip, paymentHeader, hasVersion1 = false }: ReportRequest,
): Purchase {
  const client = { ip, hasVersion1 };
  if (row !== 'sample') return { ...testPurchase(context, testId, row), ...client };
  // The time bounds are not checked here, because a re-read may come after the authorization has ended.
  const authorization = readSigned(paymentHeader)?.authorization;
  const purchase = { ...samplePurchase(context, context.terms.settings, authorization), ...client };
  // Without an authorization, no payment can be looked up, so the response is about the fault in the header.
  if (!authorization) judgeHeader(context, purchase, paymentHeader);
  return purchase;
}

/**
 * Step 2. Joins the job that is already settling the very same payment here: its result is the response to
 * all such requests.
 */
export function joinSamePayment(
  { jobs }: SettlementContext,
  { id }: Purchase,
  header: string | undefined,
): Promise<JobResult> | undefined {
  const job = jobs.of(id);
  return header !== undefined && job?.payment === header ? job.done : undefined;
}

/**
 * Step 3. Returns the payment as it is in the log, after any other work on it has ended or taken too long.
 */
export async function awaitOthers(
  context: SettlementContext,
  { id }: Pick<Purchase, 'id'>,
  remaining: Remaining,
): Promise<Account> {
  const { ledger, jobs, timeouts } = context;
  for (let looked = false; ; ) {
    const account = await ledger.read(id);
    const job = jobs.of(id);
    if (job && remaining() > 0) await doneWithin(Promise.allSettled([job.done]), remaining());
    else if (job || looked || account.state.value !== 'settling') return account;
    else if (!mayLookAfter(context, account)) return account;
    else {
      looked = true;
      const left = remaining(timeouts.join);
      const look = jobs.begin(id, undefined, () => lookAfter(context, account, left));
      await doneWithin(Promise.allSettled([look]), left);
    }
  }
}

/**
 * Anyone with the token may ask for a report again and again. The chain says nothing new within a block, so
 * it is not asked again unless the log has something new.
 */
const mayLookAfter = ({ looksAfter }: SettlementContext, { id, seq }: Account) =>
  looksAfter.take([`${id} ${seq}`], performance.now());

/**
 * Step 4. Serves a report that is already paid for, with the stored receipt, regardless of the payment sent.
 * The sample has no token, and authorizations are public on the chain, so only the signer of its payment may
 * re-read it.
 */
export async function servePaid(
  context: SettlementContext,
  purchase: Purchase,
  { state }: Account,
  header: string | undefined,
): Promise<PaidReport | undefined> {
  const { settled, started } = state.context;
  if (!settled) return undefined;
  const { signature } = readSigned(header) ?? {};
  const isSame = signature?.toLowerCase() === started?.payload.signature.toLowerCase();
  if (purchase.deadline === null && !isSame) {
    const payment = judgeHeader(context, purchase, header);
    const look = await takeLook(context, purchase, payment, context.timeouts.line);
    look.stay();
    await checkSignature(context, purchase, payment).then(look.giveBack).finally(look.leave);
  }
  return { report: await purchase.load(), receipt: settled.receipt };
}

/** Step 5. Refuses with 503 while money may be moving, with or without a payment. */
export function refusePending({ errors }: SettlementContext, { state }: Account): void {
  if (state.value === 'settling') throw errors.pending();
}

/**
 * Step 6. Reads the payment from the header. Responds with 402 if the header is missing (or with 502 if
 * nothing can be sold, so that nobody signs for nothing), and with 400 or 402 if the payment is unreadable or
 * not on our terms.
 */
export function judgeHeader(
  { errors, canSell, chain, clock, terms }: SettlementContext,
  purchase: Purchase,
  header: string | undefined,
): SignedPayment {
  // An unpaid report is not sold within the closing margin, whatever payment the client sends.
  const no = (error: ServiceError) =>
    clock() > purchase.payBefore ? errors.closed(purchase) : error;
  if (header === undefined) throw no(canSell() ? errors.required(purchase) : errors.unsold());
  const payload = readPayment(header);
  if ('fault' in payload) throw no(errors.unreadable(purchase, payload.fault));

  const requirements = paymentTerms(terms.settings, secondsLeft(purchase, clock()));
  const judged = judgePayment(payload, requirements);
  if (!judged.ok) throw no(errors.invalid(purchase, judged.error, judged.detail));
  const { signature, authorization, echoed } = judged;
  return chain.spell({ requirements, signature, authorization, echoed });
}

/**
 * Step 7. Begins the job, in the same tick as the check that no other job exists. Returns `undefined` if one
 * does.
 */
export function beginJob(
  { jobs }: SettlementContext,
  { id }: Purchase,
  header: string | undefined,
  work: () => Promise<JobResult>,
): Promise<JobResult> | undefined {
  return jobs.of(id) ? undefined : jobs.begin(id, header, work);
}

/**
 * Step 8. Responds with the job's result. Returns `undefined` if another job began first, because the ledger
 * then has newer information.
 */
export async function answerResult(
  { errors }: SettlementContext,
  purchase: Purchase,
  header: string | undefined,
  result: JobResult | undefined,
): Promise<PaidReport | undefined> {
  if (result === undefined) throw errors.pending();
  if (result.state === 'open')
    throw result.isRefusedByCode ? errors.refusedByCode() : errors.pending();
  if (result.state === 'lost') return undefined;
  if (result.state === 'paid') return { report: await purchase.load(), receipt: result.receipt };
  const payer = readSigned(header)?.authorization.from ?? '';
  throw errors.failed(purchase, result.reason, payer);
}
