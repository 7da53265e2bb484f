import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '../../domain/errors.ts';
import { claimKey, judgePayment, judgeTimes, paymentTerms } from '../../domain/payment-terms.ts';
import type { Claims } from '../../ports/log.ts';
import type { PaidReport, ReportRequest, Settler, SignedPayment } from '../../ports/payment.ts';
import { settlerAnswers, type Terms } from './answers.ts';
import { inFlight, settledWithin } from './in-flight.ts';
import type { Account } from './ledger.ts';
import { readAuthorization, readPayment } from './payment-header.ts';
import { type Purchase, type PurchasePorts, samplePurchase, testPurchase } from './purchase.ts';
import { OPEN, type Resolution, type SettlePorts, settling } from './settle.ts';

/** How often the work of another replica is looked at while waiting for it, in milliseconds. */
const LOOK_MS = 250;

/** Settlements tried for one test before its buyer is asked to stop. */
const MAX_ATTEMPTS = 20;

/** Blocks before the head from which the chain is searched: a few for a reorganisation. */
const SEARCH_MARGIN = 10;

/** Rounds of looking again after somebody else decided; more means that we chase our own tail. */
const MAX_ROUNDS = 4;

export interface SettlerPorts extends SettlePorts, PurchasePorts {
  readonly claims: Claims;
  readonly terms: Terms;
}

/** `lost`: another began a settlement for this report first; look again. */
type PurchaseResult = Resolution | { readonly state: 'lost' };

/**
 * Sells reports: every read of a report that exists goes through here, in the order of work that
 * keeps two promises. A buyer never pays twice for one report, and money that moved opens the
 * report it was sent for.
 */
export function createSettler(ports: SettlerPorts): Settler & {
  reconcile(id: string): Promise<void>;
  idle(): Promise<void>;
} {
  const { ledger, settlement, chain, claims, clock, logger, timeouts, replica } = ports;
  const { settings } = ports.terms;
  const answers = settlerAnswers(ports.terms);
  const work = settling(ports);
  const jobs = inFlight<PurchaseResult>();

  const secondsLeft = ({ deadline }: Purchase) =>
    deadline === null ? Number.POSITIVE_INFINITY : (deadline - clock()) / 1000;

  async function answer({ load }: Purchase, { state }: Account): Promise<PaidReport | undefined> {
    const receipt = state.context.settled?.receipt;
    return receipt && { report: await load(), receipt };
  }

  /** Step 6 and the terms of step 7: the header as a payment for this report. */
  function judge(purchase: Purchase, header: string | undefined): SignedPayment {
    // Within the closing margin an unpaid report answers as if deleted, whatever is sent.
    const no = (error: ServiceError) => (clock() > purchase.payBefore ? answers.gone() : error);
    const left = secondsLeft(purchase);
    if (header === undefined) throw no(answers.required(left));
    const payload = readPayment(header);
    if (!payload) throw no(answers.unreadable(left));

    const requirements = paymentTerms(settings, left);
    const judged = judgePayment(payload, requirements);
    if (!judged.ok) throw no(answers.invalid(judged.error, left));
    const { signature, authorization, echoed } = judged;
    return { requirements, signature, authorization, echoed };
  }

  /** Steps 5 and 7, and the limit of attempts: why nothing may be started now. */
  function obstacle(purchase: Purchase, { state }: Account, payment: SignedPayment) {
    if (clock() > purchase.payBefore) return answers.gone();
    const fault = judgeTimes(payment.authorization, clock(), purchase.deadline);
    if (fault) return answers.invalid(fault, secondsLeft(purchase));
    return state.context.attempts >= MAX_ATTEMPTS ? answers.tooManyAttempts() : undefined;
  }

  /** Steps 9 to 15. Throws before anything is started; then it only ever resolves. */
  async function buy(
    purchase: Purchase,
    account: Account,
    payment: SignedPayment,
  ): Promise<PurchaseResult> {
    const { id } = purchase;
    const key = claimKey(payment.requirements, payment.authorization);
    const othersClaim = () =>
      answers.invalid('invalid_exact_evm_nonce_already_used', secondsLeft(purchase));
    const owner = await claims.owner(key);
    const mine = owner?.id === id ? owner : undefined;

    // The payer may have broadcast it, or we may have died between the claim and the start. Money
    // that has arrived opens the report, whatever is the time or the number of attempts.
    const found =
      mine && (await chain.outcome(payment, mine.from_block).catch(rethrow(answers.upstream)));
    const arrived = found?.state === 'settled' ? mine : undefined;
    const refusal = arrived ? undefined : obstacle(purchase, account, payment);
    if (refusal) throw refusal;
    if (owner && !mine) throw othersClaim();
    const fromBlock = arrived?.from_block ?? (await check(payment));
    if (typeof fromBlock === 'object') {
      // Another replica may have settled this very payment meanwhile: then it is used, by us.
      if ((await ledger.read(id)).seq !== account.seq) return { state: 'lost' };
      throw answers.invalid(fromBlock.reason, secondsLeft(purchase));
    }

    await purchase.load();
    const claim = { id, at: new Date(clock()).toISOString(), by: replica };
    const winner = await claims.claim(key, { ...claim, from_block: fromBlock });
    if (winner.id !== id) throw othersClaim();

    if (!arrived && clock() > purchase.payBefore) throw answers.gone();
    const started = await start(purchase, account, payment, key, winner.from_block);
    if (!started) return { state: 'lost' };
    return finish(id, arrived !== undefined).catch((error: unknown) => {
      logger.warn({ payment_id: id, err: error }, 'settlement interrupted');
      return OPEN;
    });
  }

  /** Step 10. The block from which the chain is searched, if it comes to that; or what is wrong. */
  async function check(payment: SignedPayment): Promise<number | { readonly reason: string }> {
    const [head, verdict] = await settlement
      .ready()
      .then(async () => {
        const block = await chain.head();
        return [block, await settlement.verify(payment, timeouts.verify)] as const;
      })
      .catch(rethrow(answers.upstream));
    if (!verdict.ok) return { reason: verdict.reason };
    return Math.max(0, head.number - SEARCH_MARGIN);
  }

  /** Step 13: the intent is durable before anything is settled. False: another was first. */
  async function start(
    purchase: Purchase,
    { state, seq }: Account,
    { requirements, signature, authorization, echoed }: SignedPayment,
    claim: string,
    from_block: number,
  ): Promise<boolean> {
    const appended = await ledger.append(purchase.id, seq, 'SettlementStarted', {
      attempt: state.context.attempts + 1,
      mode: settlement.mode,
      claim,
      requirements,
      payload: { signature, authorization },
      ...(echoed && { echoed }),
      from_block,
      report_expires_at:
        purchase.deadline === null ? null : new Date(purchase.deadline).toISOString(),
    });
    if (appended.outcome === 'lost') return false;
    if (appended.outcome !== 'appended') throw answers.logUnavailable();
    return true;
  }

  /** Steps 14 and 15. */
  async function finish(id: string, arrived: boolean): Promise<Resolution> {
    const resolution = arrived ? OPEN : await work.settle(await ledger.read(id));
    return resolution.state === 'open' ? work.reconcile(id, false) : resolution;
  }

  /** Step 3, when nobody of this process is at it: asks the chain, and waits for the other replica. */
  async function lookAfter({ id, by }: Account): Promise<Resolution> {
    const until = performance.now() + timeouts.join;
    let resolution = await work.reconcile(id, true);
    while (resolution.state === 'open' && by !== replica && performance.now() < until) {
      await sleep(LOOK_MS);
      resolution = await work.recorded(id);
    }
    return resolution;
  }

  async function read({ testId, row, paymentHeader }: ReportRequest): Promise<PaidReport> {
    const purchase =
      row === 'sample' ? openSample(paymentHeader) : testPurchase(ports, testId, row);
    const until = performance.now() + timeouts.request;
    const left = (most = timeouts.request) =>
      Math.max(0, Math.min(most, until - performance.now()));

    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      let account = await ledger.read(purchase.id);
      if (jobs.of(purchase.id) || account.state.value === 'settling') {
        const current = account;
        const job = jobs.of(purchase.id) ?? jobs.begin(purchase.id, () => lookAfter(current));
        await settledWithin(
          job.catch(() => undefined),
          left(timeouts.join),
        );
        account = await ledger.read(purchase.id);
      }
      const paid = await answer(purchase, account);
      if (paid) return paid;
      if (account.state.value === 'settling') throw answers.pending();

      const payment = judge(purchase, paymentHeader);
      // Step 8: the look and the entry are one tick; somebody there already is joined.
      if (jobs.of(purchase.id)) continue;

      const current = account;
      const job = jobs.begin(purchase.id, () => buy(purchase, current, payment));
      const resolution = await settledWithin(job, left());
      if (resolution === undefined || resolution.state === 'open') throw answers.pending();
      if (resolution.state === 'failed')
        throw answers.failed(resolution.reason, payment.authorization.from, secondsLeft(purchase));
      if (resolution.state === 'paid')
        return { report: await purchase.load(), receipt: resolution.receipt };
    }
    throw answers.pending();
  }

  /** Without the time bounds: a re-read may come after the authorization's end. */
  function openSample(header: string | undefined): Purchase {
    const authorization = readAuthorization(header);
    const purchase = samplePurchase(ports, settings, authorization);
    // Nobody's payment can be looked for: what is wrong with the header is the answer.
    if (!authorization) judge(purchase, header);
    return purchase;
  }

  return {
    read,
    async reconcile(id) {
      if (jobs.of(id)) return;
      await jobs
        .begin(id, () => work.reconcile(id, true))
        .catch((error: unknown) =>
          logger.warn({ payment_id: id, err: error }, 'reconciliation failed'),
        );
    },
    idle: () => jobs.idle(),
  };
}

function rethrow(wrap: (cause: unknown) => Error) {
  return (cause: unknown): never => {
    throw wrap(cause);
  };
}
