import { createHash } from 'node:crypto';
import { SAMPLE_ID, toBase32 } from '../domain/ids.ts';
import { isPaymentPayload, type PaymentPayload } from '../domain/payment-payload.ts';
import { claimKey, type Judgement, judgePayment, paymentTerms } from '../domain/payment-terms.ts';
import type { Report } from '../domain/report.ts';
import type { Authorization } from '../domain/x402.ts';
import { decodeHeader } from '../domain/x402-headers.ts';
import type { Claims, PaidReport, ReportRequest, Settler, SignedPayment } from '../ports.ts';
import { expiry, payBefore } from '../projection/deadlines.ts';
import { settlerAnswers, type Terms } from './settler/answers.ts';
import { flights, within } from './settler/flights.ts';
import type { Account } from './settler/ledger.ts';
import { type Resolution, type SettlePorts, settling } from './settler/settle.ts';

/** Longest time a request waits for a job, its own or another's, in milliseconds. */
const REQUEST_MS = 25_000;
const JOIN_MS = 15_000;

/** Settlements tried for one test before its buyer is asked to stop. */
const MAX_ATTEMPTS = 20;

/** Longest time for asking whether a payment is good, in milliseconds. */
const VERIFY_MS = 10_000;

/** Blocks before the head from which the chain is searched: a few for a reorganisation. */
const SEARCH_MARGIN = 10;

/** Rounds of looking again after somebody else decided; more means that we chase our own tail. */
const MAX_ROUNDS = 4;

export interface SettlerPorts extends SettlePorts {
  readonly claims: Claims;
  readonly terms: Terms;
  /** @throws ServiceError `log_unavailable` */
  readonly loadReport: (testId: string, reportSeq: number) => Promise<Report>;
  readonly sampleReport: () => Report;
}

/** `lost`: another began a settlement for this report first; look again. */
type Purchase = Resolution | { readonly state: 'lost' };

/** What is sold: a test's report until its deletion, or the sample for ever. */
interface Sale {
  readonly id: string;
  /** Milliseconds since 1970; `null`: it does not expire. */
  readonly deadline: number | null;
  readonly payBefore: number;
  readonly load: () => Promise<Report>;
}

/**
 * Sells reports: every read of a report that exists goes through here, in the order of work that
 * keeps two promises. A buyer never pays twice for one report, and money that moved opens the
 * report it was sent for.
 */
export function createSettler(ports: SettlerPorts): Settler & {
  reconcile(id: string): Promise<void>;
  idle(): Promise<void>;
} {
  const { ledger, settlement, chain, claims, clock, logger } = ports;
  const { settings } = ports.terms;
  const answers = settlerAnswers(ports.terms);
  const work = settling(ports);
  const jobs = flights<Purchase>();

  const secondsLeft = ({ deadline }: Sale) =>
    deadline === null ? Number.POSITIVE_INFINITY : (deadline - clock()) / 1000;

  async function answer({ load }: Sale, { state }: Account): Promise<PaidReport | undefined> {
    const receipt = state.context.settled?.receipt;
    return receipt && { report: await load(), receipt };
  }

  /** Steps 6 and 7: the header as a payment on our terms. */
  function judge(sale: Sale, header: string | undefined): SignedPayment {
    const left = secondsLeft(sale);
    if (header === undefined) throw answers.required(left);
    const payload = readPayment(header);
    if (!payload) throw answers.unreadable(left);

    const requirements = paymentTerms(settings, left);
    const judged: Judgement = judgePayment(payload, requirements, clock(), sale.deadline);
    if (!judged.ok) throw answers.invalid(judged.error, left);
    return { requirements, signature: judged.signature, authorization: judged.authorization };
  }

  /** Steps 9 to 15. Throws before anything is started; then it only ever resolves. */
  async function buy(sale: Sale, account: Account, payment: SignedPayment): Promise<Purchase> {
    const { id } = sale;
    const key = claimKey(payment.requirements, payment.authorization);
    const owner = await claims.owner(key);
    if (owner && owner.id !== id)
      throw answers.invalid('invalid_exact_evm_nonce_already_used', secondsLeft(sale));

    // The payer may have broadcast it, or we may have died between the claim and the start.
    const found =
      owner && (await chain.outcome(payment, owner.from_block).catch(rethrow(answers.upstream)));
    const alreadyPaid = found?.state === 'settled';
    const fromBlock = alreadyPaid && owner ? owner.from_block : await check(sale, payment);

    await sale.load();
    const claim = { id, at: new Date(clock()).toISOString(), by: ports.replica };
    const winner = await claims.claim(key, { ...claim, from_block: fromBlock });
    if (winner.id !== id)
      throw answers.invalid('invalid_exact_evm_nonce_already_used', secondsLeft(sale));

    const started = await start(sale, account, payment, key, winner.from_block);
    if (!started) return { state: 'lost' };
    if (alreadyPaid) return work.reconcile(id, false);

    const resolution = await work.settle(started);
    return resolution.state === 'open' ? work.reconcile(id, false) : resolution;
  }

  /** Step 10. The block from which the chain is searched, if it comes to that. */
  async function check(sale: Sale, payment: SignedPayment): Promise<number> {
    const [head, verdict] = await settlement
      .ready()
      .then(async () => {
        const block = await chain.head();
        const deadline = new Date(clock() + VERIFY_MS);
        return [block, await settlement.verify(payment, deadline)] as const;
      })
      .catch(rethrow(answers.upstream));
    if (!verdict.ok) throw answers.invalid(verdict.reason, secondsLeft(sale));
    return Math.max(0, head.number - SEARCH_MARGIN);
  }

  /** Step 13: the intent is durable before anything is settled. `undefined`: another was first. */
  async function start(
    sale: Sale,
    { state, seq }: Account,
    { requirements, signature, authorization }: SignedPayment,
    claim: string,
    from_block: number,
  ): Promise<Account | undefined> {
    if (clock() > sale.payBefore) throw answers.gone();
    const appended = await ledger.append(sale.id, seq, 'SettlementStarted', {
      attempt: state.context.attempts + 1,
      mode: settlement.mode,
      claim,
      requirements,
      payload: { signature, authorization },
      from_block,
      report_expires_at: sale.deadline === null ? null : new Date(sale.deadline).toISOString(),
    });
    if (appended.outcome === 'lost') return undefined;
    if (appended.outcome !== 'appended') throw answers.logUnavailable();
    return ledger.read(sale.id);
  }

  /** Step 3: waits for whoever works on this payment, or goes on in its place. */
  async function joinOrReconcile(id: string): Promise<void> {
    const flight = jobs.of(id) ?? jobs.begin(id, () => work.reconcile(id, true));
    await within(
      flight.catch(() => undefined),
      JOIN_MS,
    );
  }

  async function read({ testId, row, paymentHeader }: ReportRequest): Promise<PaidReport> {
    const sale = row === 'sample' ? sampleSale(paymentHeader) : testSale(testId, row);

    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      let account = await ledger.read(sale.id);
      if (jobs.of(sale.id) || account.state.value === 'settling') {
        await joinOrReconcile(sale.id);
        account = await ledger.read(sale.id);
      }
      const paid = await answer(sale, account);
      if (paid) return paid;
      if (account.state.value === 'settling') throw answers.pending();
      if (clock() > sale.payBefore) throw answers.gone();

      const payment = judge(sale, paymentHeader);
      if (account.state.context.attempts >= MAX_ATTEMPTS) throw answers.tooManyAttempts();
      // Step 8: the look and the entry are one tick; somebody there already is joined.
      if (jobs.of(sale.id)) continue;

      const current = account;
      const flight = jobs.begin(sale.id, () => buy(sale, current, payment));
      const resolution = await within(flight, REQUEST_MS);
      if (resolution === undefined || resolution.state === 'open') throw answers.pending();
      if (resolution.state === 'failed')
        throw answers.failed(resolution.reason, payment.authorization.from, secondsLeft(sale));
      if (resolution.state === 'paid')
        return { report: await sale.load(), receipt: resolution.receipt };
    }
    throw answers.pending();
  }

  const testSale = (testId: string, row: Exclude<ReportRequest['row'], 'sample'>): Sale => ({
    id: testId,
    deadline: expiry(row),
    payBefore: payBefore(row),
    load: () => ports.loadReport(testId, row.context.reportSeq ?? 0),
  });

  /** The sample's payment belongs to the authorization: the same one again is a free re-read. */
  function sampleSale(header: string | undefined): Sale {
    const sale = {
      deadline: null,
      payBefore: Number.POSITIVE_INFINITY,
      load: async () => ports.sampleReport(),
    };
    const { requirements, authorization } = judgeShape({ id: SAMPLE_ID, ...sale }, header);
    const hash = createHash('sha256').update(claimKey(requirements, authorization)).digest();
    return { id: `${SAMPLE_ID}-${toBase32(hash).slice(0, 26)}`, ...sale };
  }

  /** As `judge`, without the time bounds: a re-read may come after the authorization's end. */
  function judgeShape(sale: Sale, header: string | undefined) {
    const payload = header === undefined ? undefined : readPayment(header);
    const authorization = payload && authorizationOf(payload);
    if (!authorization) return judge(sale, header);
    return { requirements: paymentTerms(settings, secondsLeft(sale)), authorization };
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

/** The payment in a header; `undefined` when it is none. */
function readPayment(header: string): PaymentPayload | undefined {
  const content = decodeHeader(header);
  return isPaymentPayload(content) ? content : undefined;
}

function rethrow(wrap: (cause: unknown) => Error) {
  return (cause: unknown): never => {
    throw wrap(cause);
  };
}

/** What was signed; `undefined` for another version or another way to pay. */
function authorizationOf(payload: PaymentPayload): Authorization | undefined {
  if (payload.x402Version !== 2 || !('accepted' in payload)) return undefined;
  return 'signature' in payload.payload ? payload.payload.authorization : undefined;
}
