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

/** The steps of a request in the order of work: their numbers are held by a test. */

/** Milliseconds that are left of the time a request may wait, at most so many. */
export type Remaining = (most?: number) => number;

/** Step 1. What is bought: a test's report, or the sample by one authorization. */
export function openPurchase(
  context: SettlementContext,
  { testId, row, ip, paymentHeader, hasVersion1 = false }: ReportRequest,
): Purchase {
  const client = { ip, hasVersion1 };
  if (row !== 'sample') return { ...testPurchase(context, testId, row), ...client };
  // Without the time bounds: a re-read may come after the authorization's end.
  const authorization = readSigned(paymentHeader)?.authorization;
  const purchase = { ...samplePurchase(context, context.terms.settings, authorization), ...client };
  // Nobody's payment can be looked up: what is wrong with the header is the answer.
  if (!authorization) judgeHeader(context, purchase, paymentHeader);
  return purchase;
}

/** Step 2. The very same payment is being taken here: what becomes of it is the answer to all. */
export function joinSamePayment(
  { jobs }: SettlementContext,
  { id }: Purchase,
  header: string | undefined,
): Promise<JobResult> | undefined {
  const job = jobs.of(id);
  return header !== undefined && job?.payment === header ? job.done : undefined;
}

/** Step 3. The payment as the log has it, after any other work on it has ended or took too long. */
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
 * Anyone with its token may ask for a report again and again: the chain says nothing new within a block, unless the
 * log has something new.
 */
const mayLookAfter = ({ looksAfter }: SettlementContext, { id, seq }: Account) =>
  looksAfter.take([`${id} ${seq}`], performance.now());

/**
 * Step 4. Paid before: the report with the stored receipt, whatever payment is sent. The sample has no token,
 * and names stand on the chain: it is read by who signed.
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

/** Step 5. Money may be moving: 503 with or without a payment. */
export function refusePending({ answers }: SettlementContext, { state }: Account): void {
  if (state.value === 'settling') throw answers.pending();
}

/**
 * Step 6. The header as a payment on our terms: 402 without one, or 502 when nothing can be sold and
 * it would be signed for nothing; 400 or 402 for a wrong one.
 */
export function judgeHeader(
  { answers, canSell, chain, clock, terms }: SettlementContext,
  purchase: Purchase,
  header: string | undefined,
): SignedPayment {
  // Within the closing margin an unpaid report is not sold, whatever is sent.
  const no = (error: ServiceError) =>
    clock() > purchase.payBefore ? answers.closed(purchase) : error;
  if (header === undefined) throw no(canSell() ? answers.required(purchase) : answers.unsold());
  const payload = readPayment(header);
  if ('fault' in payload) throw no(answers.unreadable(purchase, payload.fault));

  const requirements = paymentTerms(terms.settings, secondsLeft(purchase, clock()));
  const judged = judgePayment(payload, requirements);
  if (!judged.ok) throw no(answers.invalid(purchase, judged.error, judged.detail));
  const { signature, authorization, echoed } = judged;
  return chain.spell({ requirements, signature, authorization, echoed });
}

/** Step 7. Begins the job, in the tick in which no other was there; `undefined`: one is there. */
export function beginJob(
  { jobs }: SettlementContext,
  { id }: Purchase,
  header: string | undefined,
  work: () => Promise<JobResult>,
): Promise<JobResult> | undefined {
  return jobs.of(id) ? undefined : jobs.begin(id, header, work);
}

/** Step 8. What became of the job; `undefined`: another began first, and the ledger knows more. */
export async function answerResult(
  { answers }: SettlementContext,
  purchase: Purchase,
  header: string | undefined,
  result: JobResult | undefined,
): Promise<PaidReport | undefined> {
  if (result === undefined) throw answers.pending();
  if (result.state === 'open')
    throw result.isRefusedByCode ? answers.refusedByCode() : answers.pending();
  if (result.state === 'lost') return undefined;
  if (result.state === 'paid') return { report: await purchase.load(), receipt: result.receipt };
  const payer = readSigned(header)?.authorization.from ?? '';
  throw answers.failed(purchase, result.reason, payer);
}
