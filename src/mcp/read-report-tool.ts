/** Implements the MCP tool with which an agent reads a report and pays for it. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { SAMPLE_ID } from '../domain/ids.ts';
import type { Report } from '../domain/report/report.ts';
import type { SettlementResponse } from '../domain/x402.ts';
import { encodeHeader } from '../domain/x402-headers.ts';
import {
  dataResult,
  documentResult,
  PAYMENT,
  PAYMENT_MEMBER,
  paymentResult,
  problemResult,
  receiptOf,
  refusal,
  refusalOf,
  withReceipt,
} from './results.ts';
import type { ServiceCall } from './service-call.ts';
import { summarize, verdictOf } from './summary.ts';

/** A report that was read, with the receipt if it has just been paid for. */
export interface ReadReport {
  readonly report: Report;
  readonly receipt: SettlementResponse | undefined;
}

/**
 * Reads a report, and pays for it from the user's own wallet.
 *
 * @throws Error whose message tells the user and the model why this failed
 */
export type BuyReport = (testId: string, readToken: string) => Promise<ReadReport>;

type Meta = Readonly<Record<string, unknown>> | undefined;

/** The report that the caller requests, with the token that opens it. The sample needs no token. */
interface Wanted {
  readonly test_id: string;
  readonly read_token?: string | undefined;
}

/** Returns whether a token that the caller must know is missing. */
export const lacksToken = ({ test_id, read_token }: Wanted): boolean =>
  read_token === undefined && test_id !== SAMPLE_ID;

/** How a report is paid for, and the tool that requests it. */
interface Buying {
  readonly call: ServiceCall;
  readonly buy: BuyReport | null;
  readonly tool: string;
}

/**
 * Reads a report. A payment that the caller put in `_meta` is used first; without one, the user's wallet
 * pays, if there is one.
 */
export async function obtainReport(
  { test_id, read_token }: Wanted,
  meta: Meta,
  { call, buy, tool }: Buying,
): Promise<ReadReport | CallToolResult> {
  const payment = paymentHeader(meta?.[PAYMENT]);
  if (payment === null)
    return refusal(
      'invalid_request',
      `The payment in ${PAYMENT_MEMBER} must be an object, or the base64 of its JSON.`,
    );
  if (buy && !payment) return buy(test_id, read_token ?? '').catch(refusalOf);
  const answer = await call('GET', `/v1/report?test_id=${test_id}`, {
    ...(read_token && { 'x-read-token': read_token }),
    ...(payment && { 'payment-signature': payment }),
  });
  // A payment that cannot be read gets status 400, and that response contains a challenge too.
  if (answer.status === 402 || answer.headers.has('payment-required'))
    return paymentResult(answer, tool);
  if (answer.status !== 200) return problemResult(answer);
  return { report: answer.body as Report, receipt: receiptOf(answer) };
}

/**
 * Returns the payment as a header of the API; `undefined` if there is none, `null` if it is not a payment.
 */
function paymentHeader(payment: unknown): string | undefined | null {
  if (payment === undefined || payment === null) return undefined;
  if (typeof payment === 'object') return encodeHeader(payment);
  return typeof payment === 'string' && /^[\w+/=-]+$/.test(payment) ? payment : null;
}

export async function readReportTool(
  { detail, ...wanted }: Wanted & { readonly detail?: 'summary' | 'whole' | undefined },
  meta: Meta,
  buying: Buying,
): Promise<CallToolResult> {
  if (lacksToken(wanted)) return refusal('invalid_request', 'The argument read_token is missing.');
  const read = await obtainReport(wanted, meta, buying);
  if (!('report' in read)) return read as CallToolResult;
  const { report, receipt } = read as ReadReport;
  const result =
    detail === 'whole' ? documentResult(report) : dataResult(summarize(report), verdictOf(report));
  return withReceipt(result, receipt);
}
