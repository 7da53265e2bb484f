import type { ReportRequest, Settler, SignedPayment } from '../../ports/payment.ts';
import type { Turn } from './budget.ts';
import {
  type JobResult,
  LOST,
  OPEN,
  openContext,
  type SettlementContext,
  type SettlerPorts,
} from './context.ts';
import { settledWithin } from './in-flight.ts';
import {
  askChain,
  checkNextBlock,
  checkPayment,
  claimAuthorization,
  findArrived,
  loadReport,
  readOwner,
  recordStart,
  refuseObstacles,
  settle,
  takeSharedTurn,
  takeTurn,
} from './job-steps.ts';
import type { Account } from './ledger.ts';
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
 * Sells reports: every read of a report that exists goes through here, in the order of work that
 * keeps two promises. A buyer never pays twice for one report, and money that moved opens the
 * report it was sent for. `docs/payments.md` numbers the steps, and a test holds the two together.
 */
export function createSettler(ports: SettlerPorts): Settler & {
  reconcile(id: string): Promise<void>;
  idle(): Promise<void>;
} {
  const context = openContext(ports);
  const { jobs, logger } = context;
  return {
    read: (request) => read(context, request),
    async isSettling(id) {
      const until = performance.now() + context.timeouts.join;
      const remaining = () => Math.max(0, until - performance.now());
      return (await awaitOthers(context, { id }, remaining)).state.value === 'settling';
    },
    async reconcile(id) {
      if (jobs.of(id)) return;
      await jobs
        .begin(id, undefined, () => reconcile(context, id, true))
        .catch((error: unknown) =>
          logger.warn({ payment_id: id, err: error }, 'reconciliation failed'),
        );
    },
    idle: () => jobs.idle(),
  };
}

/** A request, steps 1 to 8. It goes round again when somebody else decided first. */
async function read(context: SettlementContext, request: ReportRequest) {
  const { answers, timeouts } = context;
  const { paymentHeader: header } = request;
  const until = performance.now() + timeouts.request;
  const remaining = (most = timeouts.request) =>
    Math.max(0, Math.min(most, until - performance.now()));

  const purchase = openPurchase(context, request);
  do {
    const joined = joinSamePayment(context, purchase, header, remaining);
    const account = joined ? undefined : await awaitOthers(context, purchase, remaining);
    const paid = account && (await servePaid(purchase, account));
    if (paid) return paid;
    if (account) refusePending(context, account);
    const payment = judgeHeader(context, purchase, header);
    const job =
      account &&
      beginJob(context, purchase, header, () => buy(context, purchase, account, payment));
    const done = joined ?? (job && settledWithin(job, remaining()));
    const answer = done && (await answerResult(context, purchase, header, await done));
    if (answer) return answer;
  } while (remaining() > 0);
  throw answers.busy();
}

/** A job, steps 9 to 20. It rejects only before anything is started. */
async function buy(
  context: SettlementContext,
  purchase: Purchase,
  account: Account,
  payment: SignedPayment,
): Promise<JobResult> {
  const owner = await readOwner(context, payment);
  const arrived = await findArrived(context, purchase, payment, owner);
  const turns: Turn[] = [];
  try {
    if (!arrived) refuseObstacles(context, purchase, account, payment, owner);
    const turn = arrived ? undefined : await takeTurn(context, purchase, payment);
    if (turn) turns.push(turn);
    const first = arrived ?? (await checkPayment(context, purchase, account, payment, turn));
    if (first === 'lost') return LOST;
    const checked =
      arrived ?? (await checkNextBlock(context, purchase, account, payment, turn, first));
    if (checked === 'lost') return LOST;
    if (!arrived) turns.push(await takeSharedTurn(context, purchase, payment, checked));

    await loadReport(purchase);
    const claim = await claimAuthorization(context, purchase, payment, checked.from_block);
    const known = arrived !== undefined || 'arrived' in checked;
    const started = await recordStart(context, purchase, account, payment, claim, known);
    if (!started) return LOST;

    const settled = known ? OPEN : await settle(context, started);
    return settled.state === 'open' ? await askChain(context, purchase) : settled;
  } finally {
    for (const turn of turns) turn.leave();
  }
}
