import { ServiceError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/payment-events.ts';
import type { ReportRequest, Settler, SignedPayment } from '../../ports/payment.ts';
import { doneWithin } from '../done-within.ts';
import { awaitDecision, isOwnSettlement } from './await-decision.ts';
import {
  type JobResult,
  LOST,
  OPEN,
  openContext,
  type SettlementContext,
  type SettlerPorts,
} from './context.ts';
import {
  awaitFunds,
  checkSignature,
  checkUnused,
  claimAuthorization,
  findArrived,
  loadReport,
  readOwner,
  recordStart,
  refuseObstacles,
  settle,
  takeLook,
  takePlace,
  takeTurn,
} from './job-steps.ts';
import type { Account } from './ledger.ts';
import type { Place } from './places.ts';
import type { Purchase } from './purchase.ts';
import {
  answerResult,
  awaitOthers,
  beginJob,
  joinSamePayment,
  judgeHeader,
  openPurchase,
  refusePending,
  servePaid,
} from './request-steps.ts';
import { reconcile } from './settle.ts';

/**
 * Sells reports: each paid read runs through the numbered steps here. A test enforces their order, which
 * keeps two promises: a buyer never pays twice for one report, and money that moved opens the report it was
 * sent for. Also tells whether a payment is being settled, and resumes settlements that no request waits for.
 */
export function createSettler(ports: SettlerPorts): Settler & {
  reconcile(id: string): Promise<void>;
  idle(): Promise<void>;
} {
  const context = openContext(ports);
  const { jobs, logger } = context;
  return {
    read: (request) => read(context, request).catch(withoutLog(context)),
    async isSettling(id) {
      const until = performance.now() + context.timeouts.join;
      const remaining = () => Math.max(0, until - performance.now());
      return (await awaitOthers(context, { id }, remaining)).state.value === 'settling';
    },
    async reconcile(id) {
      if (jobs.of(id)) return;
      await jobs
        .begin(id, undefined, () => reconcile(context, id))
        .catch((error: unknown) =>
          logger.warn({ payment_id: id, err: error }, 'reconciliation failed'),
        );
    },
    idle: () => jobs.idle(),
  };
}

/** Adds what a payer needs to know to an error from the log, because the log knows nothing about money. */
const withoutLog =
  ({ errors }: SettlementContext) =>
  (error: unknown): never => {
    const isLog = error instanceof ServiceError && error.code === 'log_unavailable';
    throw isLog ? errors.logUnavailable(error) : error;
  };

/** Runs steps 1 to 8 of a request. Starts again if someone else decided first. */
async function read(context: SettlementContext, request: ReportRequest) {
  const { errors, timeouts } = context;
  const { paymentHeader: header } = request;
  const until = performance.now() + timeouts.request;
  const remaining = (most = timeouts.request) =>
    Math.max(0, Math.min(most, until - performance.now()));

  const purchase = openPurchase(context, request);
  do {
    let job = joinSamePayment(context, purchase, header);
    if (!job) {
      const account = await awaitOthers(context, purchase, remaining);
      const paid = await servePaid(context, purchase, account, header);
      if (paid) return paid;
      if (isOwnSettlement(purchase, account, header)) job = Promise.resolve(OPEN);
      else {
        refusePending(context, account);
        const payment = judgeHeader(context, purchase, header);
        job = beginJob(context, purchase, header, () => buy(context, purchase, account, payment));
      }
    }
    const ended = job ? await doneWithin(job, remaining()) : LOST;
    const result = await awaitDecision(context, purchase, request, ended);
    const answer = await answerResult(context, purchase, header, result);
    if (answer) return answer;
  } while (remaining() > 0);
  throw errors.busy();
}

/** Runs steps 9 to 21 of a job. Rejects only before the payment is sent for settlement. */
async function buy(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  sent: SignedPayment,
): Promise<JobResult> {
  const until = performance.now() + context.timeouts.line;
  const patience = () => Math.max(0, until - performance.now());
  const held: Held[] = [];
  const hold = <T extends Held>(one: T): T => {
    held.unshift(one);
    return one;
  };
  const owner = await readOwner(context, sent);
  const arrived = await findArrived(context, purchase, sent, owner);
  if (arrived) return openArrived(context, purchase, account, sent, arrived);
  refuseObstacles(context, purchase, account, sent, owner);
  const look = hold(await takeLook(context, purchase, sent, patience()));
  try {
    const payment = await checkSignature(context, purchase, sent);
    const fromBlock = await checkUnused(context, purchase, payment, owner);
    if (fromBlock === 'lost') return LOST;
    const turn = hold(await takeTurn(context, purchase, payment, patience()));
    const place = hold(await takePlace(context, purchase, payment, look, patience()));
    await loadReport(purchase);
    const places = { look, place };
    const claimed = await claimAuthorization(context, purchase, payment, fromBlock, owner, places);
    const funds = await awaitFunds(context, purchase, account, payment, claimed, turn);
    if (funds === 'lost') return LOST;
    const { claim } = claimed;
    const started = await recordStart(context, purchase, account, payment, claim, place);
    return started ? await settle(context, purchase, started, false) : LOST;
  } catch (error) {
    if (isForNothing(error)) look.stay();
    throw error;
  } finally {
    for (const { leave } of held) leave();
  }
}

/** A place that a job holds and leaves at its end. */
type Held = Pick<Place, 'leave'>;

/** Returns whether the node was queried about a payment that nobody can accept. */
const isForNothing = (error: unknown) =>
  error instanceof ServiceError && error.code === 'payment_invalid';

/** Runs the remaining steps when the money has already arrived. */
async function openArrived(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  payment: SignedPayment,
  claim: Claim,
): Promise<JobResult> {
  await loadReport(purchase);
  const started = await recordStart(context, purchase, account, payment, claim, 'arrived');
  return started ? settle(context, purchase, started, true) : LOST;
}
