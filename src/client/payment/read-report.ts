/**
 * Reads a report from the service, pays for it within the user's limits, and checks before a test whether the
 * user could pay.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Check } from '@sinclair/typebox/value';
import { WalletState } from '../../api/schemas/wallets.ts';
import { SAMPLE_ID } from '../../domain/ids.ts';
import type { Report } from '../../domain/report/report.ts';
import { PaymentRequirements, SettlementResponse } from '../../domain/x402.ts';
import { decodeHeader, encodeHeader } from '../../domain/x402-headers.ts';
import { describeProblem, problemOf, type ServiceAnswer } from '../../mcp/service-call.ts';
import { about, CommandError } from '../exit.ts';
import { isReadableReport } from '../service/answer-shapes.ts';
import {
  callPatiently,
  expectBody,
  isPassing,
  pauseAfter,
  type ServiceOptions,
} from '../service/service-client.ts';
import { withProgress } from '../with-progress.ts';
import { type Budget, chooseOffer, formatUsd, type PaymentLimits } from './limits.ts';
import { accountOf, type KeyOrAccount, signPayment } from './sign.ts';

/** Time in seconds after the end of an authorization during which its outcome may still become known. */
const SETTLED_SECONDS = 60;

/** Pause in seconds before a payment is sent again if the service does not state one. */
const RETRY_SECONDS = 5;

/** A user's wallet, and the limits on what it may pay. */
export interface Purse {
  /** The key or account that pays; null if there is none. */
  readonly key: KeyOrAccount | null;
  readonly limits: PaymentLimits;
  /** Limit on the total of all payments. Without it, the limits apply only to each single report. */
  readonly budget?: Budget;
}

interface BoughtReport {
  readonly report: Report;
  /** The receipt of the payment; `undefined` if the report was paid for earlier, or is free. */
  readonly receipt: SettlementResponse | undefined;
}

/** The data that a request for the report of one test needs. */
interface ReportAccess {
  readonly testId: string;
  readonly readToken: string;
}

/** The members of a payment challenge that the command uses. */
interface Challenge {
  readonly resource?: unknown;
  /** The valid offers; entries that are not offers are left out. */
  readonly accepts: readonly PaymentRequirements[];
  readonly error: string | undefined;
}

const requestOf = ({ testId, readToken }: ReportAccess, payment?: object) =>
  [
    'GET',
    `/v1/report?test_id=${testId}`,
    {
      'x-read-token': readToken,
      ...(payment && { 'payment-signature': encodeHeader(payment) }),
    },
  ] as const;

/**
 * Reads a report, and pays for it if that is required and allowed. A payment is signed at most once: while
 * its outcome is unknown, the very same payment is sent again. The sample has no owner, so each payment for
 * it would be a new one; its free copy is read instead.
 */
export const readReport = (service: ServiceOptions, request: ReportAccess, purse: Purse) =>
  buy(service, request, purse).catch(about(request.testId));

async function buy(
  service: ServiceOptions,
  request: ReportAccess,
  purse: Purse,
): Promise<BoughtReport> {
  if (request.testId === SAMPLE_ID)
    return toReport(await callPatiently(service, 'GET', '/sample-report.json'));
  const first = await callPatiently(service, ...requestOf(request));
  if (first.status !== 402) return toReport(first);
  const challenge = challengeOf(first);
  const { allowed, account } = await toPay(challenge, purse);
  purse.budget?.spend(allowed.amount);
  service.note(`Paying ${formatUsd(allowed.amount)} to ${allowed.offer.payTo}.`);
  const nowSeconds = Math.floor(Date.now() / 1000);
  const payment = await signPayment(account, allowed, challenge.resource, nowSeconds);
  const answer = await withProgress(
    service.note,
    (seconds) => `Still waiting for the payment to settle after ${seconds} s.`,
    () => settle(service, request, payment),
  );
  if (answer.status !== 402) return toReport(answer);
  throw new CommandError(problemOf(answer).code ?? 'payment_required', explainRefusal(answer));
}

/**
 * Returns the offer to sign, and the account that signs it.
 * @throws CommandError that says why nothing may be signed
 */
async function toPay({ accepts }: Challenge, { key, limits }: Purse) {
  const allowed = chooseOffer(accepts, limits);
  if (key === null)
    throw new CommandError(
      'wallet_missing',
      `The report costs ${formatUsd(allowed.amount)}. To pay, provide the private key of a wallet with USDC on ${limits.network}: --key-file FILE, or DELIVERABILITY_KEY.`,
    );
  return { allowed, account: await accountOf(key) };
}

/**
 * Checks whether the user could pay for a report before an email is sent for it. If this cannot be found out,
 * the command continues.
 *
 * @throws CommandError that says why the user could not pay
 */
export async function assertCanPay(service: ServiceOptions, purse: Purse): Promise<void> {
  const sample = { testId: SAMPLE_ID, readToken: '' };
  const asked = await callPatiently(service, ...requestOf(sample));
  if (asked.status !== 402) return;
  const { allowed, account } = await toPay(challengeOf(asked), purse);
  purse.budget?.assertLeft(allowed.amount);
  const path = `/v1/wallets/${account.address}`;
  const answer = await service.call('GET', path).catch(() => undefined);
  if (answer?.status !== 200 || !Check(WalletState, answer.body) || answer.body.can_pay) return;
  throw new CommandError(
    'wallet_empty',
    `Nothing was sent. The report costs ${formatUsd(allowed.amount)}, and the wallet ${account.address} has ${formatUsd(BigInt(answer.body.balance))}. Send USDC on ${allowed.offer.network} to it, or name the key of another wallet.`,
  );
}

function challengeOf(answer: ServiceAnswer): Challenge {
  const sent = decodeHeader(answer.headers.get('payment-required') ?? '') ?? answer.body ?? {};
  const { resource, accepts, error } = sent as Readonly<Record<string, unknown>>;
  const offers = (Array.isArray(accepts) ? accepts : []).filter((one) =>
    Check(PaymentRequirements, one),
  );
  return { resource, accepts: offers, error: typeof error === 'string' ? error : undefined };
}

/** Returns the receipt in a response, or `undefined` if there is none that can be read. */
function receiptOf(answer: ServiceAnswer): SettlementResponse | undefined {
  const receipt = decodeHeader(answer.headers.get('payment-response') ?? '');
  return Check(SettlementResponse, receipt) ? receipt : undefined;
}

/**
 * Returns whether a response decides about a payment: JSON with the report, or a refusal in the service's own
 * words. Anything else may come from a proxy, whatever became of the payment.
 */
const isDecisive = (answer: ServiceAnswer): boolean =>
  answer.status === 200
    ? answer.body !== undefined
    : answer.status < 500 && !isPassing(answer) && problemOf(answer).code !== undefined;

/** Sends one payment until its outcome is known. */
async function settle(
  service: ServiceOptions,
  request: ReportAccess,
  { payload, validBefore }: Awaited<ReturnType<typeof signPayment>>,
): Promise<ServiceAnswer> {
  const { pause = sleep } = service;
  const end = (validBefore + SETTLED_SECONDS) * 1000;
  for (;;) {
    // A lost response may have been a receipt, so the same payment is sent again.
    const answer = await service.call(...requestOf(request, payload)).catch(() => null);
    if (answer && isDecisive(answer)) return answer;
    if (Date.now() > end)
      throw new CommandError(
        'payment_unknown',
        `The payment may or may not have been made. Read the report of the same test again: you never pay twice for it.`,
      );
    const why = answer ? describeProblem(answer) : 'The service did not respond.';
    service.note(`${why} Sending the same payment again.`);
    await pause(1000 * pauseAfter(answer, RETRY_SECONDS));
  }
}

/** Matches the x402 error codes for a wallet that has too little money. */
const IS_EMPTY = /insufficient_(?:balance|funds)$/;

/**
 * Explains why a payment was not accepted, with the title of the service's response and the reason in its
 * receipt or challenge.
 */
function explainRefusal(answer: ServiceAnswer): string {
  const reason =
    receiptOf(answer)?.errorReason ?? challengeOf(answer).error ?? problemOf(answer).code;
  if (reason && IS_EMPTY.test(reason))
    return 'Nothing was paid: the wallet has less USDC than the report costs. Send USDC to it, then read the report again.';
  return [describeProblem(answer), reason && `Reason: ${reason}.`].filter(Boolean).join(' ');
}

const toReport = (answer: ServiceAnswer): BoughtReport => ({
  report: expectBody(answer, 200, isReadableReport),
  receipt: receiptOf(answer),
});
