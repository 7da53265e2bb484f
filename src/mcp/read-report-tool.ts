import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Static } from '@sinclair/typebox';
import type { Report } from '../domain/report/report.ts';
import type { SettlementResponse } from '../domain/x402.ts';
import { decodeHeader, encodeHeader } from '../domain/x402-headers.ts';
import { dataResult, explainedRefusal, paymentResult, problemResult, refusal } from './results.ts';
import type { ReportInput } from './schemas.ts';
import type { ServiceCall } from './service-call.ts';
import { summarise, verdictOf } from './summary.ts';

/** Keys of x402's MCP transport. */
const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';

/** A report that was read, with the receipt where it was paid for just now. */
export interface ReadReport {
  readonly report: Report;
  readonly receipt: SettlementResponse | undefined;
}

/**
 * Reads a report and pays for it by the person's own wallet.
 *
 * @throws Error whose message explains why not, to the person and the model
 */
export type BuyReport = (testId: string, readToken: string) => Promise<ReadReport>;

type Input = Static<typeof ReportInput>;

/** What a report is bought by, and the tool that asks for it. */
interface Buying {
  readonly call: ServiceCall;
  readonly buy: BuyReport | null;
  readonly tool: string;
}

/** Reads a report: paid by the caller in `_meta`, else by the person's wallet, else not at all. */
export async function obtainReport(
  { test_id, read_token }: Pick<Input, 'test_id' | 'read_token'>,
  meta: Readonly<Record<string, unknown>> | undefined,
  { call, buy, tool }: Buying,
): Promise<ReadReport | CallToolResult> {
  const payment = meta?.[PAYMENT];
  if (payment !== undefined && (typeof payment !== 'object' || payment === null))
    return refusal(`_meta["${PAYMENT}"] must be a payment payload of x402, as an object.`);
  if (buy && !payment) {
    try {
      return await buy(test_id, read_token);
    } catch (error) {
      const { message = 'The report could not be read.', code } = error as Partial<Coded>;
      return explainedRefusal(message, code);
    }
  }
  const answer = await call('GET', `/v1/report?test_id=${test_id}`, {
    'x-read-token': read_token,
    ...(payment && { 'payment-signature': encodeHeader(payment) }),
  });
  if (answer.status === 402) return paymentResult(answer, tool);
  if (answer.status !== 200) return problemResult(answer);
  const receipt = decodeHeader(answer.headers.get('payment-response') ?? '');
  return { report: answer.body as Report, receipt: receipt as ReadReport['receipt'] };
}

/** An error that says its code as data. */
interface Coded extends Error {
  readonly code: string;
}

/** Where x402's MCP transport has the receipt. */
export const withReceipt = (
  result: CallToolResult,
  receipt: ReadReport['receipt'],
): CallToolResult => (receipt ? { ...result, _meta: { [RECEIPT]: receipt } } : result);

export async function readReportTool(
  input: Input,
  meta: Readonly<Record<string, unknown>> | undefined,
  buying: Buying,
): Promise<CallToolResult> {
  const read = await obtainReport(input, meta, buying);
  if (!('report' in read)) return read as CallToolResult;
  const { report, receipt } = read as ReadReport;
  const result =
    input.detail === 'whole'
      ? dataResult(JSON.stringify(report), report)
      : dataResult(summarise(report), verdictOf(report));
  return withReceipt(result, receipt);
}
