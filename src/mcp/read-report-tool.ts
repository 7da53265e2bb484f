import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Static } from '@sinclair/typebox';
import type { Report } from '../domain/report/report.ts';
import type { SettlementResponse } from '../domain/x402.ts';
import { decodeHeader, encodeHeader } from '../domain/x402-headers.ts';
import { dataResult, explainedRefusal, paymentResult, problemResult, refusal } from './results.ts';
import type { ReportInput } from './schemas.ts';
import type { ServiceCall } from './service-call.ts';
import { summarise } from './summary.ts';

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

const HOW_TO_PAY =
  'Sign one of `accepts` and call read_report again with the payment in _meta["x402/payment"]. Ask the person first unless they allowed it.';

type Input = Static<typeof ReportInput>;

/** Reads a report: paid by the caller in `_meta`, else by the person's wallet, else not at all. */
export async function readReportTool(
  { test_id, read_token, detail = 'summary' }: Input,
  meta: Readonly<Record<string, unknown>> | undefined,
  { call, buy }: { readonly call: ServiceCall; readonly buy: BuyReport | null },
): Promise<CallToolResult> {
  const payment = meta?.[PAYMENT];
  if (payment !== undefined && (typeof payment !== 'object' || payment === null))
    return refusal(`_meta["${PAYMENT}"] must be a payment payload of x402, as an object.`);
  if (buy && !payment) {
    try {
      return toResult(await buy(test_id, read_token), detail);
    } catch (error) {
      return explainedRefusal(
        error instanceof Error ? error.message : 'The report could not be read.',
      );
    }
  }
  const answer = await call('GET', `/v1/report?test_id=${test_id}`, {
    'x-read-token': read_token,
    ...(payment && { 'payment-signature': encodeHeader(payment) }),
  });
  if (answer.status === 402) return paymentResult(answer, HOW_TO_PAY);
  if (answer.status !== 200) return problemResult(answer);
  const receipt = decodeHeader(answer.headers.get('payment-response') ?? '');
  const read = { report: answer.body as Report, receipt: receipt as ReadReport['receipt'] };
  return toResult(read, detail);
}

function toResult({ report, receipt }: ReadReport, detail: 'summary' | 'whole'): CallToolResult {
  const result =
    detail === 'whole'
      ? dataResult(JSON.stringify(report), report)
      : { content: [{ type: 'text' as const, text: summarise(report) }] };
  return receipt ? { ...result, _meta: { [RECEIPT]: receipt } } : result;
}
